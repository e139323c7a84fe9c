import type { LiveCommand } from '../../commands/records/live/decide.js'
import { emitLivePage, emitLiveServer, livePageEvents, liveServerEvents } from '../../commands/records/live/events.js'
import { livePageContent, liveServerContent } from '../http/content.js'
import { suite } from '../support/suite.js'
import { given } from './given.js'
import { ada, nil, ops, someone } from './people.js'

const test = suite('deciding on live servers and live pages')

const server = liveServerEvents.LiveServerCreated.data.parse(liveServerContent)
const page = livePageEvents.LivePageCreated.data.parse(livePageContent)
const made = emitLiveServer('s1', 'LiveServerCreated', server)
const madePage = emitLivePage('p1', 'LivePageCreated', page)
const locked = emitLiveServer('s1', 'LiveServerDeletionLocked', {})
const unlocked = emitLiveServer('s1', 'LiveServerDeletionUnlocked', {})
const deleted = emitLiveServer('s1', 'LiveServerDeleted', { name: server.name })
const create: LiveCommand = { type: 'CreateLiveServer', id: 's1', content: server }
const remove: LiveCommand = { type: 'DeleteLiveServer', id: 's1' }
const removeAsAdmin: LiveCommand = { type: 'DeleteLiveServerAsAdmin', id: 's1' }
const lock = (deletionLocked: boolean): LiveCommand => ({ type: 'LockLiveServer', id: 's1', deletionLocked })
const put = (changes: Partial<typeof server>): LiveCommand => {
  return { type: 'UpdateLiveServer', id: 's1', content: { ...server, ...changes } }
}
const updated = (changes: Partial<typeof server>) =>
  emitLiveServer('s1', 'LiveServerUpdated', { ...server, ...changes })
const onlyFirst = someone({ liveServerAccess: ['s1'], livePageAccess: ['p1'] })
const admin = { by: ops }

test('whoever has the wildcard makes them', async () => {
  await given().when(create).then(made)
  await given().when({ type: 'CreateLivePage', id: 'p1', content: page }).then(madePage)
  for (const by of [nil, onlyFirst, ops]) await given().when(create, { by }).refused('Forbidden', 403)
})

test('whoever has access updates and deletes one, whoever made it', async () => {
  for (const by of [ada, onlyFirst]) {
    await given(made)
      .when(put({ root: '/srv' }), { by })
      .then(updated({ root: '/srv' }))
    await given(made).when(remove, { by }).then(deleted)
  }
  const other = someone({ liveServerAccess: ['s2'], livePageAccess: ['*'] })
  for (const by of [nil, other, ops])
    for (const command of [put({}), remove]) await given(made).when(command, { by }).refused('Forbidden', 403)
})

test('an update that changes nothing is no event, also where keys come in another order', async () => {
  await given(made).when(put({})).nothing()
  const [one, other] = [
    { id: 'a', source: 'x()' },
    { source: 'x()', id: 'a' }
  ]
  const scripted = emitLivePage('p1', 'LivePageCreated', { ...page, scripts: [one] })
  const again: LiveCommand = { type: 'UpdateLivePage', id: 'p1', content: { ...page, scripts: [other] } }
  await given(scripted).when(again).nothing()
  const longer: LiveCommand = { type: 'UpdateLivePage', id: 'p1', content: { ...page, scripts: [one, one] } }
  await given(scripted)
    .when(longer)
    .then(emitLivePage('p1', 'LivePageUpdated', { ...page, scripts: [one, one] }))
})

test('a list is not the object that has the same fields', async () => {
  for (const [one, other] of [
    [{}, []],
    [['a'], { 0: 'a' }]
  ]) {
    const held = emitLivePage('p1', 'LivePageCreated', { ...page, auth: one })
    const update: LiveCommand = { type: 'UpdateLivePage', id: 'p1', content: { ...page, auth: other } }
    await given(held)
      .when(update)
      .then(emitLivePage('p1', 'LivePageUpdated', { ...page, auth: other }))
    await given(held)
      .when({ ...update, content: { ...page, auth: one } })
      .nothing()
  }
})

test('without a place it keeps the one that it had, and a place has a bound', async () => {
  const placed = emitLiveServer('s1', 'LiveServerCreated', { ...server, sortOrder: 4 })
  await given(placed).when(put({})).nothing()
  await given(placed)
    .when(put({ root: '/srv' }))
    .then(updated({ root: '/srv', sortOrder: 4 }))
  await given(placed)
    .when(put({ sortOrder: -2 }))
    .then(updated({ sortOrder: -2 }))
  const beyond = 2_000_000_001
  await given(placed)
    .when(put({ sortOrder: beyond }))
    .refused('sortOrder must be at most 2000000000.', 400)
  await given()
    .when({ ...create, content: { ...server, sortOrder: beyond } } as LiveCommand)
    .refused('sortOrder must be at most 2000000000.', 400)
})

test('a locked one is deleted by administrators only', async () => {
  await given(made).when(lock(true), admin).then(locked)
  await given(made, locked).when(lock(true), admin).nothing()
  await given(made, locked).when(remove).refused('Deletion is locked for this live server.', 403)
  await given(made, locked)
    .when(put({ watch: false }))
    .then(updated({ watch: false }))
  await given(made, locked).when(removeAsAdmin, admin).then(deleted)
  await given(made, locked).when(lock(false), admin).then(unlocked)
  for (const command of [lock(true), removeAsAdmin]) await given(made).when(command).refused('Forbidden', 403)
})

test('what is not there is not found, and a change that expects another revision is refused', async () => {
  for (const command of [put({}), remove]) await given().when(command).refused('Live server not found', 404)
  await given().when({ type: 'DeleteLivePage', id: 'p1' }).refused('Live page not found', 404)
  await given().when(removeAsAdmin, admin).refused('Live server not found', 404)
  await given(made, locked)
    .when({ ...put({ watch: false }), ifRevision: [7] } as LiveCommand)
    .refused('This record has changed since it was read. Read it again, then repeat the change.', 412)
})

test.run()
