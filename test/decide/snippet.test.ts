import type { SnippetCommand } from '../../commands/records/snippet/decide.js'
import { emitSnippet } from '../../commands/records/snippet/events.js'
import { suite } from '../support/suite.js'
import { given } from './given.js'
import { ada, nil, ops, someone } from './people.js'

const test = suite('deciding on snippets')

const MOST = 2_000_000_000
const text = { name: 'S', code: '', scope: 'any' } as const
const at = (sortOrder: number) => emitSnippet('s1', 'SnippetCreated', { ...text, sortOrder })
const put = (sortOrder: number) => ({ type: 'UpdateSnippet', id: 's1', content: { ...text, sortOrder } }) as const

test('nobody puts a snippet where there is no room behind it', async () => {
  await given(at(0))
    .when(put(MOST))
    .then(emitSnippet('s1', 'SnippetUpdated', { ...text, sortOrder: MOST }))
  await given(at(0))
    .when(put(MOST + 1))
    .refused('sortOrder must be at most 2000000000.', 400)
})

test('the one that comes behind the last place has its own, and may be saved there', async () => {
  const next = emitSnippet('s2', 'SnippetCreated', { ...text, sortOrder: MOST + 1 })
  await given(at(MOST)).when({ type: 'CreateSnippet', id: 's2', content: text }).then(next)
  const renamed = { ...text, name: 'T', sortOrder: MOST + 1 }
  await given(at(MOST + 1))
    .when({ type: 'UpdateSnippet', id: 's1', content: renamed })
    .then(emitSnippet('s1', 'SnippetUpdated', renamed))
})

const locked = emitSnippet('s1', 'SnippetDeletionLocked', {})
const unlocked = emitSnippet('s1', 'SnippetDeletionUnlocked', {})
const deleted = emitSnippet('s1', 'SnippetDeleted', { name: 'S' })
const create: SnippetCommand = { type: 'CreateSnippet', id: 's1', content: text }
const remove: SnippetCommand = { type: 'DeleteSnippet', id: 's1' }
const removeAsAdmin: SnippetCommand = { type: 'DeleteSnippetAsAdmin', id: 's1' }
const manage = (changes: Omit<Extract<SnippetCommand, { type: 'ManageSnippet' }>, 'type' | 'id'>): SnippetCommand => {
  return { type: 'ManageSnippet', id: 's1', ...changes }
}
const onlyFirst = someone({ snippetAccess: ['s1'] })
const admin = { by: ops }

test('whoever has the wildcard makes snippets, and so does an administrator', async () => {
  await given().when(create).then(at(0))
  for (const caller of [nil, onlyFirst, ops]) await given().when(create, { by: caller }).refused('Forbidden', 403)
  const asAdmin: SnippetCommand = { type: 'CreateSnippetAsAdmin', id: 's1', content: text }
  await given().when(asAdmin, admin).then(at(0))
  await given().when(asAdmin, { by: ada }).refused('Forbidden', 403)
})

test('whoever has access updates and deletes a snippet, whoever made it', async () => {
  for (const caller of [ada, onlyFirst]) {
    await given(at(0))
      .when(put(3), { by: caller })
      .then(emitSnippet('s1', 'SnippetUpdated', { ...text, sortOrder: 3 }))
    await given(at(0)).when(remove, { by: caller }).then(deleted)
  }
  for (const caller of [nil, someone({ snippetAccess: ['s2'] }), ops]) {
    for (const command of [put(3), remove]) await given(at(0)).when(command, { by: caller }).refused('Forbidden', 403)
  }
})

test('an update that changes nothing is no event, and without a place a snippet keeps its own', async () => {
  await given(at(7)).when(put(7)).nothing()
  await given(at(7))
    .when({ type: 'UpdateSnippet', id: 's1', content: { ...text, code: 'new' } })
    .then(emitSnippet('s1', 'SnippetUpdated', { ...text, code: 'new', sortOrder: 7 }))
})

test('a locked snippet is deleted by administrators only', async () => {
  await given(at(0), locked).when(remove).refused('Deletion is locked for this snippet.', 403)
  await given(at(0), locked).when(removeAsAdmin, admin).then(deleted)
  await given(at(0), locked, unlocked).when(remove).then(deleted)
})

test('an administrator changes the lock, the text or both, and what is as it was is no event', async () => {
  const renamed = emitSnippet('s1', 'SnippetUpdated', { ...text, name: 'T', sortOrder: 0 })
  await given(at(0))
    .when(manage({ deletionLocked: true, content: { name: 'T' } }), admin)
    .then(locked, renamed)
  await given(at(0))
    .when(manage({ content: { name: 'T' } }), admin)
    .then(renamed)
  await given(at(0), locked)
    .when(manage({ deletionLocked: false }), admin)
    .then(unlocked)
  await given(at(0), locked)
    .when(manage({ deletionLocked: true, content: text }), admin)
    .nothing()
  for (const command of [manage({ deletionLocked: true }), removeAsAdmin])
    await given(at(0)).when(command).refused('Forbidden', 403)
})

test('an unknown snippet is not found', async () => {
  for (const command of [put(0), remove]) await given().when(command).refused('Snippet not found', 404)
  for (const command of [manage({}), removeAsAdmin])
    await given().when(command, admin).refused('Snippet not found', 404)
})

test('a change that expects another revision is refused', async () => {
  const message = 'This record has changed since it was read. Read it again, then repeat the change.'
  await given(at(0), locked, unlocked)
    .when({ ...remove, ifRevision: [1] } as SnippetCommand)
    .refused(message, 412)
  await given(at(0), locked)
    .when(manage({ deletionLocked: false, ifRevision: [2] }), admin)
    .then(unlocked)
})

test.run()
