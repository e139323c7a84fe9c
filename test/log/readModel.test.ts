import * as assert from 'uvu/assert'
import { HeadWentBack } from '../../src/log/wentBack.js'
import { GENERATION_SWITCHED } from '../../src/readmodel/readModel.js'
import { type Storage, StorageUnavailable } from '../../src/storage/storage.js'
import { filling } from '../contract/builds.js'
import { change } from '../contract/commits.js'
import { suite } from '../support/suite.js'
import { emit, emits, grow, items, make, marks } from './domain.js'
import { gate, rejection, settled, stateOf } from './faults.js'
import { memoryLog, type Process, processOn, withoutLock } from './log.js'

const test = suite('read model')
let log: Storage
let here: Process
let there: Process

test.before.each(async () => {
  log = await memoryLog()
  here = await processOn(log)
  there = await processOn(log)
  await there.submit(make('a', { size: 1 }))
  await here.readModel.current()
  await here.readModel.get(items, 'a')
  here.storage.heads = 0
})

const sizeHere = async () => (await here.readModel.get(items, 'a'))?.size

test('what another process has committed is seen by the next call', async () => {
  await there.submit(grow('a'))
  assert.is(await sizeHere(), 1, 'not before it is asked for')
  await here.readModel.current()
  assert.is(await sizeHere(), 2)
})

test("what others have committed is taken in, and a stream's version found, without a text of any event", async () => {
  const refuse = () => Promise.reject(new Error('Texts are read.'))
  const reader = await processOn({ ...log, readLog: refuse, readAt: refuse })
  for (let i = 0; i < 5; i++) await there.submit(grow('a'))
  await reader.readModel.current()
  assert.is((await reader.readModel.get(items, 'a'))?.size, 6)
  assert.is(await reader.readModel.lastVersion((await log.readHeaders(0, 1))[0]?.stream ?? ''), 6)
})

test('while nobody writes one look at the head is all', async () => {
  let reads = 0
  here.storage.onRead = async () => void reads++
  for (let i = 0; i < 3; i++) {
    await here.readModel.current()
    await sizeHere()
  }
  assert.equal([here.storage.heads, reads], [3, 0])
})

test('calls that come together share round trips', async () => {
  const door = gate()
  here.storage.onHead = () => door.passed
  const early = Array.from({ length: 25 }, () => here.readModel.current())
  await settled()
  const late = Array.from({ length: 25 }, () => here.readModel.current())
  await settled()
  door.open()
  await Promise.all([...early, ...late])
  assert.is(here.storage.heads, 2)
})

test('no call is answered by a look at the head from before it', async () => {
  const doors = [gate(), gate(), gate()]
  here.storage.onHead = () => doors[here.storage.heads - 1]?.passed ?? Promise.resolve()
  const early = here.readModel.current()
  await settled()
  const late = here.readModel.current()
  doors[0]?.open()
  await early
  assert.is(await stateOf(late), 'pending')
  await there.submit(grow('a'))
  const later = here.readModel.current()
  doors[1]?.open()
  await late
  assert.is(await sizeHere(), 2)
  assert.is(await stateOf(later), 'pending')
  doors[2]?.open()
  await later
})

test('a look at the head that fails fails its callers, and the next one looks again', async () => {
  let isAway = true
  here.storage.onHead = () => (isAway ? Promise.reject(new StorageUnavailable('away')) : Promise.resolve())
  const failures = [here.readModel.current(), here.readModel.current(), here.readModel.current()]
  for (const failure of failures) assert.instance(await rejection(failure), StorageUnavailable)
  isAway = false
  await there.submit(grow('a'))
  await here.readModel.current()
  assert.is(await sizeHere(), 2)
})

test('a commit of this process that is done in the log and not yet answered is waited for', async () => {
  const door = gate()
  here.storage.onCommit = async (_, pass) => {
    const outcome = await pass()
    await door.passed
    return outcome
  }
  const grown = here.submit(grow('a'))
  await settled()
  const current = here.readModel.current()
  assert.is(await stateOf(current), 'pending')
  door.open()
  await current
  assert.is(await sizeHere(), 2)
  await grown
})

test('a commit of this process that is answered late does not bring back what others have changed since', async () => {
  here.storage.onCommit = async (_, pass) => {
    const outcome = await pass()
    await there.submit(grow('a'))
    await here.readModel.catchUp()
    return outcome
  }
  await here.submit(grow('a'), 'a')
  assert.equal([here.readModel.head.position, await sizeHere()], [3, 3])
})

test('of lists without bodies each is kept by itself: from either end, of some ids, of so many', async () => {
  await there.submit(make('b', { size: 2 }))
  await here.readModel.current()
  const asked = [{}, { reverse: true }, { ids: ['b'] }, { limit: 1 }, { limit: 1, reverse: true }]
  const found = async () => {
    const lists = asked.map((options) => here.readModel.list(items, 'byGroup', ['g'], { body: false, ...options }))
    return (await Promise.all(lists)).map((rows) => rows.map(({ id }) => id).join(''))
  }
  assert.equal(await found(), ['ab', 'ba', 'b', 'a', 'b'])
  assert.equal(await found(), ['ab', 'ba', 'b', 'a', 'b'])
})

test('a look that comes to its end behind a commit of this process does not go back before it', async () => {
  await there.submit(grow('a'))
  const door = gate()
  let looks = 0
  here.storage.readTypes = async (after, through) => {
    const found = await log.readTypes(after, through)
    if (++looks === 1) await door.passed
    return found
  }
  const looking = here.readModel.current()
  await settled()
  await here.submit(grow('a'), 'a')
  door.open()
  await looking
  assert.equal([here.readModel.head.position, await sizeHere()], [3, 3])
})

test('nor does one after which everything is forgotten', async () => {
  await there.submit(emits(emit('x-1', 'UnknownHere')))
  const door = gate()
  let looks = 0
  here.storage.readTypes = async (...asked) => {
    const types = await log.readTypes(...asked)
    // The first tells of the type that is not known, the second that the log goes on from what is known.
    if (++looks === 2) await door.passed
    return types
  }
  const heads: number[] = []
  here.readModel.onMove(() => heads.push(here.readModel.head.position))
  const look = here.readModel.current()
  await settled()
  assert.is(looks, 2)
  await here.submit(grow('a'))
  door.open()
  await look
  assert.equal(here.readModel.head, await log.head())
  assert.equal(heads, heads.toSorted())
})

test('a row that this process deletes is known to be gone', async () => {
  await here.submit(emits(emit('item-a', 'ItemGone')), 'a')
  assert.is(await here.readModel.get(items, 'a'), null)
})

test('nothing is kept where a database that lags behind tells of fewer events than there were', async () => {
  await there.submit(grow('a'))
  here.storage.readTypes = async (after, through) => (await log.readTypes(after, through)).slice(0, 1)
  await here.readModel.current()
  assert.is(await sizeHere(), 2)
})

test('what others change is forgotten, and what they leave alone is kept', async () => {
  await there.submit(emits(emit('mark-m', 'MarkMade')))
  await here.readModel.current()
  await here.readModel.get(marks, 'm')
  let reads = 0
  here.storage.onRead = async () => void reads++
  await there.submit(grow('a'))
  await here.readModel.current()
  await here.readModel.get(marks, 'm')
  assert.is(reads, 0)
  await sizeHere()
  assert.is(reads, 1)
})

test('what others change in one row leaves the other rows known, and no list', async () => {
  await there.submit(make('b'))
  await here.readModel.current()
  const known = () => Promise.all([here.readModel.get(items, 'a'), here.readModel.get(items, 'b')])
  const list = () => here.readModel.list(items, 'byGroup', ['g'], { body: false })
  await known()
  await list()
  const read: unknown[] = []
  here.storage.onRead = async () => void read.push(1)
  await there.submit(grow('a'))
  await here.readModel.current()
  const [a, b] = await known()
  assert.equal([a?.size, b?.size, read.length], [2, 0, 1])
  await list()
  assert.is(read.length, 2)
  await there.submit(emits(emit('group-g', 'GroupGone')))
  await here.readModel.current()
  assert.equal(await known(), [null, null])
})

test('everything is forgotten after an event of a type that only a newer version knows', async () => {
  await change(log, { op: 'patch', table: items, id: 'a', set: { size: 77 } })
  await here.readModel.current()
  assert.is(await sizeHere(), 77)
})

test('everything is forgotten where too much was missed to read it', async () => {
  await Promise.all(Array.from({ length: 1100 }, () => there.submit(grow('a'))))
  let longest = 0
  const { readLog } = log
  here.storage.readLog = async (after, limit) => {
    const events = await readLog(after, limit)
    longest = Math.max(longest, events.length)
    return events
  }
  await here.readModel.current()
  assert.equal(here.readModel.head, await log.head())
  assert.is(await sizeHere(), 1101)
  assert.ok(longest <= 200)
})

test('when other read tables become the live ones they are read from then on', async () => {
  const fence = (await filling(log, 2)).fence()
  const other = await processOn(withoutLock(log))
  other.storage.onCommit = (commit) =>
    log.commit({ ...commit, head: { ...commit.head, generation: 2 }, switch: { fence, left: '' } })
  await other.submit(emits(emit('projections-all', GENERATION_SWITCHED)))
  await here.readModel.current()
  assert.is(here.readModel.head.generation, 2)
  assert.is(await here.readModel.get(items, 'a'), null)
  await here.submit(make('b'))
  assert.is((await log.rows(2).get(items, 'b'))?.id, 'b')
})

test('of a log that was put back to an earlier state nothing is told, from the cache neither', async () => {
  const { head, readTypes, rows } = await memoryLog()
  let told = 0
  here.readModel.onMove(() => told++)
  Object.assign(here.storage, { head, readTypes, rows })
  assert.instance(await rejection(here.readModel.current()), HeadWentBack)
  assert.is(told, 1)
  Object.assign(here.storage, log)
  assert.instance(await rejection(here.readModel.current()), HeadWentBack)
  assert.throws(() => here.readModel.get(items, 'a'), /accept-head/)
  assert.instance(await rejection(here.submit(grow('a'))), HeadWentBack)
})

test('a log that went back and has gone on beyond what was known is none that continues it', async () => {
  const other = await memoryLog()
  const writer = await processOn(other)
  for (const id of ['a', 'b', 'c']) await writer.submit(make(id))
  Object.assign(here.storage, other)
  assert.match(
    String(await rejection(here.readModel.current())),
    /known to go on to position 1 .* it ends at position 3/
  )
})

test('a look at an earlier state, where the log still holds what is known, is refused for that moment alone', async () => {
  const earlier = await log.head()
  await there.submit(grow('a'))
  await here.readModel.current()
  const { head } = here.storage
  here.storage.head = async () => earlier
  assert.match(String(await rejection(here.readModel.current())), /an earlier state of the log/)
  here.storage.head = head
  await here.readModel.current()
  assert.is(await sizeHere(), 2)
})

test('several rows come from the log and one from the cache, with the same content', async () => {
  await there.submit(make('b'))
  await here.readModel.current()
  assert.equal(await here.readModel.getAll(items, []), [])
  assert.equal(await here.readModel.getAll(items, ['a']), [await log.rows(1).get(items, 'a')])
  assert.is((await here.readModel.getAll(items, ['a', 'b', 'none'])).length, 2)
  assert.equal(await here.readModel.getAll(items, ['none']), [])
})

test.run()
