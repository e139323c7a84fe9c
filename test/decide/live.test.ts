import type { LiveCommand } from '../../commands/records/live/decide.js'
import { emitLivePage, emitLiveServer, livePageEvents, liveServerEvents } from '../../commands/records/live/events.js'
import { livePageContent, liveServerContent } from '../http/content.js'
import { suite } from '../support/suite.js'
import { atFirst, given } from './given.js'

const test = suite('deciding on live servers and live pages')

const server = liveServerEvents.LiveServerCreated.data.parse(liveServerContent)
const page = livePageEvents.LivePageCreated.data.parse(livePageContent)
const create: LiveCommand = { type: 'CreateLiveServer', id: 's1', content: server }
const put = (changes: Partial<typeof server>): LiveCommand => {
  return { type: 'UpdateLiveServer', id: 's1', content: { ...server, ...changes } }
}
const updated = (changes: Partial<typeof server>) =>
  emitLiveServer('s1', 'LiveServerUpdated', { ...server, ...changes })

test('an update that changes nothing is no event where keys come in another order either', async () => {
  const [one, other] = [
    { id: 'a', source: 'x()' },
    { source: 'x()', id: 'a' }
  ]
  const scripted = given(emitLivePage('p1', 'LivePageCreated', { ...page, scripts: [one] }))
  const again: LiveCommand = { type: 'UpdateLivePage', id: 'p1', content: { ...page, scripts: [other] } }
  await scripted.when(again).nothing()
  const longer: LiveCommand = { type: 'UpdateLivePage', id: 'p1', content: { ...page, scripts: [one, one] } }
  await scripted.when(longer).then(emitLivePage('p1', 'LivePageUpdated', { ...page, scripts: [one, one] }))
})

test('a list is not the object that has the same fields', async () => {
  for (const [one, other] of [
    [{}, []],
    [['a'], { 0: 'a' }]
  ]) {
    const held = given(emitLivePage('p1', 'LivePageCreated', { ...page, auth: one }))
    const update: LiveCommand = { type: 'UpdateLivePage', id: 'p1', content: { ...page, auth: other } }
    await held.when(update).then(emitLivePage('p1', 'LivePageUpdated', { ...page, auth: other }))
    await held.when({ ...update, content: { ...page, auth: one } }).nothing()
  }
})

test('without a place it keeps the one that it had, and a place has a bound', async () => {
  const placed = given(emitLiveServer('s1', 'LiveServerCreated', { ...server, sortOrder: 4 }))
  await placed.when(put({})).nothing()
  await placed.when(put({ root: '/srv' })).then(updated({ root: '/srv', sortOrder: 4 }))
  await placed.when(put({ sortOrder: -2 })).then(updated({ sortOrder: -2 }))
  const beyond = 2_000_000_001
  await placed.when(put({ sortOrder: beyond })).refused('sortOrder must be at most 2000000000.', 400)
  await atFirst
    .when({ ...create, content: { ...server, sortOrder: beyond } } as LiveCommand)
    .refused('sortOrder must be at most 2000000000.', 400)
})

test.run()
