import type { SnippetCommand } from '../../commands/records/snippet/decide.js'
import { emitSnippet } from '../../commands/records/snippet/events.js'
import { suite } from '../support/suite.js'
import { atFirst, given } from './given.js'
import { ada, ops } from './people.js'

const test = suite('deciding on snippets')

const MOST = 2_000_000_000
const text = { name: 'S', code: '', scope: 'any' } as const
const at = (sortOrder: number) => emitSnippet('s1', 'SnippetCreated', { ...text, sortOrder })
const put = (sortOrder: number) => ({ type: 'UpdateSnippet', id: 's1', content: { ...text, sortOrder } }) as const

const first = given(at(0))

test('nobody puts a snippet where there is no room behind it', async () => {
  await first.when(put(MOST)).then(emitSnippet('s1', 'SnippetUpdated', { ...text, sortOrder: MOST }))
  await first.when(put(MOST + 1)).refused('sortOrder must be at most 2000000000.', 400)
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
const manage = (changes: Omit<Extract<SnippetCommand, { type: 'ManageSnippet' }>, 'type' | 'id'>): SnippetCommand => {
  return { type: 'ManageSnippet', id: 's1', ...changes }
}
const admin = { by: ops }

test('an administrator makes snippets too', async () => {
  const asAdmin: SnippetCommand = { type: 'CreateSnippetAsAdmin', id: 's1', content: text }
  await atFirst.when(asAdmin, admin).then(at(0))
  await atFirst.when(asAdmin, { by: ada }).refused('Forbidden', 403)
})

test('without a place a snippet keeps its own', () =>
  given(at(7))
    .when({ type: 'UpdateSnippet', id: 's1', content: { ...text, code: 'new' } })
    .then(emitSnippet('s1', 'SnippetUpdated', { ...text, code: 'new', sortOrder: 7 })))

const shut = given(at(0), locked)

test('an administrator changes the lock, the text or both, and what is as it was is no event', async () => {
  const renamed = emitSnippet('s1', 'SnippetUpdated', { ...text, name: 'T', sortOrder: 0 })
  await first.when(manage({ deletionLocked: true, content: { name: 'T' } }), admin).then(locked, renamed)
  await first.when(manage({ content: { name: 'T' } }), admin).then(renamed)
  await shut.when(manage({ deletionLocked: false }), admin).then(unlocked)
  await shut.when(manage({ deletionLocked: true, content: text }), admin).nothing()
})

test.run()
