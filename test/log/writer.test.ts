import * as assert from 'uvu/assert'
import { HubError } from '../../src/errors.js'
import type { Storage } from '../../src/storage/storage.js'
import { eventsOf } from '../support/append.js'
import { suite } from '../support/suite.js'
import { emit, emits, grow, items, looks, make, Refused, set } from './domain.js'
import { gate, rejection, settled, stateOf } from './faults.js'
import { memoryLog, type Process, processOn, troubles } from './log.js'

const test = suite('writer')
let log: Storage
let here: Process

test.before.each(async () => {
  log = await memoryLog()
  here = await processOn(log)
})
test.after.each(async () => {
  await here.writer.idle()
  assert.equal(await troubles(log), [])
})

const sizes = () => here.storage.commits.map(({ events }) => events.length)

test('a command is answered with the row it leaves and where the log ended after it', async () => {
  assert.is((await here.submit(make('a', { size: 3 }))).row, null)
  const { position, row } = await here.submit(grow('a'), 'a')
  assert.is(position, 2)
  assert.equal([row?.id, row?.version, row?.revision], ['a', 2, 2])
  assert.is((await log.rows(1).get(items, 'a'))?.size, 4)
})

test('commands that come together go out as one commit, in their order', async () => {
  const { submit } = here
  const outcomes = await Promise.all([submit(make('a')), submit(grow('a')), submit(make('b')), submit(grow('a'), 'a')])
  assert.equal(
    outcomes.map(({ position }) => position),
    [1, 2, 3, 4]
  )
  assert.equal(sizes(), [4])
  assert.equal(
    (await log.readLog(0, 10)).map(({ stream, version }) => [stream, version]),
    [
      ['item-a', 1],
      ['item-a', 2],
      ['item-b', 1],
      ['item-a', 3]
    ]
  )
})

test('commands that come in one turn of the event loop share a commit with a driver that commits at once', async () => {
  const outcomes: Promise<unknown>[] = []
  for (let i = 0; i < 5; i++) setImmediate(() => outcomes.push(here.submit(make(`n${i}`))))
  await settled()
  await Promise.all(outcomes)
  assert.ok(here.storage.commits.length <= 2, `${here.storage.commits.length} commits`)
})

test('while one commit is on its way the next commands gather, and go out together behind it', async () => {
  const door = here.holdCommits()
  const first = here.submit(make('a'))
  await settled()
  const rest = [here.submit(grow('a')), here.submit(grow('a'), 'a'), here.submit(make('b'))]
  await settled()
  assert.equal(sizes(), [1])
  door.open()
  await first
  assert.equal((await rest[1])?.row?.version, 3)
  await Promise.all(rest)
  assert.equal(sizes(), [1, 3])
})

test('a command is acknowledged as soon as its commit is, whatever is being decided then', async () => {
  const door = here.holdCommits()
  const first = here.submit(make('a'))
  await settled()
  const thinking = gate()
  const second = here.submit(looks(() => thinking.passed))
  await settled()
  door.open()
  await first
  assert.is(await stateOf(second), 'pending')
  thinking.open()
  await second
})

test('a decision sees what those before it in its batch have made, changed, moved and taken away', async () => {
  await Promise.all(['a', 'b', 'c', 'd'].map((id, size) => here.submit(make(id, { size }))))
  const changes = [
    emits(emit('item-a', 'ItemGone')),
    set('b', { group: 'other' }),
    set('d', { size: -1 }),
    make('e', { size: 9 })
  ].map((decide) => here.submit(decide))
  const seen: unknown[] = []
  const look = here.submit(
    looks(async (read) => {
      const ids = async (options?: object) => (await read.list(items, 'byGroup', ['g'], options)).map(({ id }) => id)
      seen.push(await ids(), await ids({ limit: 1 }), await ids({ limit: 2, reverse: true }))
      seen.push(await ids({ ids: ['a', 'c'] }), await read.count(items, 'byGroup', ['g']))
      seen.push((await read.getAll(items, ['a', 'b', 'e'])).length, await read.get(items, 'a'))
    })
  )
  await Promise.all([...changes, look])
  assert.equal(sizes().at(-1), 4)
  assert.equal(seen, [['d', 'c', 'e'], ['d'], ['e', 'c'], ['c'], 3, 2, null])
})

test('a short list is found behind many rows that the batch takes away', async () => {
  await Promise.all(Array.from({ length: 80 }, (_, size) => here.submit(make(`n${size}`, { size }))))
  const going = Array.from({ length: 60 }, (_, i) => here.submit(emits(emit(`item-n${i + 20}`, 'ItemGone'))))
  let seen: readonly number[] = []
  const look = here.submit(
    looks(async (read) => {
      seen = (await read.list(items, 'byGroup', ['g'], { limit: 2, reverse: true })).map(({ size }) => size)
    })
  )
  await Promise.all([...going, look])
  assert.equal(sizes().at(-1), 60)
  assert.equal(seen, [19, 18])
})

test('a refusal waits for the commit that it was decided on', async () => {
  const door = here.holdCommits()
  const made = here.submit(make('a'))
  const refused = here.submit(make('a'))
  assert.is(await stateOf(refused), 'pending')
  door.open()
  await made
  assert.instance(await rejection(refused), Refused)
})

test('nothing is decided on top of a change of unnamed rows before that is committed', async () => {
  const door = here.holdCommits()
  const early = [here.submit(make('a')), here.submit(emits(emit('group-g', 'GroupGone')))]
  await settled()
  let seen: number | undefined
  const late = here.submit(
    looks(async (read) => {
      seen = await read.count(items, 'byGroup', ['g'])
    })
  )
  await settled()
  assert.is(seen, undefined)
  door.open()
  await Promise.all([...early, late])
  assert.is(seen, 0)
})

test('rows that one batch makes and deletes again in bulk are not remembered', async () => {
  const { submit } = here
  await Promise.all([
    submit(make('a')),
    submit(make('b', { group: 'h', owner: 'o' })),
    submit(emits(emit('group-g', 'GroupGone'), emit('owner-o', 'OwnerGone')), 'b')
  ])
  assert.equal(sizes(), [4])
  assert.is(await here.readModel.get(items, 'a'), null)
  assert.equal(await here.readModel.get(items, 'b'), await log.rows(1).get(items, 'b'))
})

test('a stream without a row gets its versions from the log', async () => {
  const note = () => emits(emit('note-x', 'Noted'), emit('note-x', 'Noted'))
  await Promise.all([here.submit(note()), here.submit(note())])
  await here.submit(note())
  const door = here.holdCommits()
  const notes = [here.submit(note())]
  await settled()
  notes.push(here.submit(note()))
  door.open()
  await Promise.all(notes)
  assert.is((await eventsOf(log, 'note-x')).at(-1)?.version, 10)
})

test('a stream whose row is gone goes on where it ended', async () => {
  await Promise.all([here.submit(make('a')), here.submit(emits(emit('item-a', 'ItemGone')))])
  await here.submit(emits(emit('item-a', 'ItemChanged', { size: 1 })))
  assert.is((await eventsOf(log, 'item-a')).length, 3)
})

test('a submission at any moment is taken up', async () => {
  await here.submit(make('a'))
  for (let turns = 0; turns < 60; turns++) {
    await here.submit(grow('a'))
    for (let turn = 0; turn < turns; turn++) await Promise.resolve()
    await here.submit(grow('a'))
  }
  assert.is((await log.rows(1).get(items, 'a'))?.size, 120)
})

test('time never goes back, though the clock does', async () => {
  const times = ['2026-05-01T00:00:00.000Z', '2026-04-01T00:00:00.000Z', '2026-05-02T00:00:00.000Z']
  const clock = times.map((time) => Date.parse(time)).values()
  const process = await processOn(log, { now: () => clock.next().value ?? 0 })
  for (const id of ['a', 'b', 'c']) await process.submit(make(id))
  assert.equal(
    (await log.readLog(0, 10)).map(({ at }) => at),
    [times[0], times[0], times[2]]
  )
})

test('a batch is bounded in commands and in bytes', async () => {
  await Promise.all(Array.from({ length: 600 }, (_, i) => here.submit(make(`n${i}`))))
  assert.equal(sizes(), [...Array(9).fill(64), 24])
  const owner = 'x'.repeat(600_000)
  await Promise.all([1, 2, 3].map((i) => here.submit(make(`big${i}`, { owner }))))
  assert.equal(sizes().slice(10), [2, 1])
})

test('more commands than may wait are refused at once', async () => {
  const { submit, holdCommits } = await processOn(log, { queueMax: 10 })
  const door = holdCommits()
  const waiting = Array.from({ length: 12 }, (_, i) => submit(make(`n${i}`)))
  for (const late of waiting.slice(10)) assert.equal(refusalOf(await rejection(late)), [503, '1'])
  door.open()
  await Promise.all(waiting.slice(0, 10))
})

test('more bytes than may wait are refused at once, and taken again when what waited is written', async () => {
  const { submit, holdCommits } = await processOn(log, { queueBytesMax: 100 })
  const door = holdCommits()
  const first = submit(make('a'), undefined, 60)
  const late = submit(make('b'), undefined, 50)
  assert.equal(refusalOf(await rejection(late)), [503, '1'])
  const small = submit(make('c'), undefined, 40)
  door.open()
  await Promise.all([first, small])
  assert.is((await submit(make('d'), undefined, 500)).position, 3, 'a larger one goes alone')
  const refused = submit(() => Promise.reject(new TypeError('mine')), undefined, 90)
  await rejection(refused)
  await submit(make('e'), undefined, 90)
})

test('of what may wait an account has half, in commands and in bytes, so that there is room for others', async () => {
  for (const [options, bytes] of [
    [{ queueMax: 4 }, 1],
    [{ queueBytesMax: 100 }, 25]
  ] as const) {
    const { submit, holdCommits, writer } = await processOn(await memoryLog(), options)
    const door = holdCommits()
    const waiting = [submit(make('a'), undefined, bytes, 'ada'), submit(make('b'), undefined, bytes, 'ada')]
    const third = rejection(submit(make('c'), undefined, bytes, 'ada'))
    waiting.push(submit(make('d'), undefined, bytes, 'bob'))
    door.open()
    assert.equal(refusalOf(await third), [503, '1'])
    await Promise.all(waiting)
    await submit(make('e'), undefined, bytes, 'ada')
    await writer.idle()
  }
})

const refusalOf = (error: unknown) => error instanceof HubError && [error.status, error.headers['retry-after']]

test.run()
