import { setTimeout } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { HeadWentBack } from '../../src/log/wentBack.js'
import { type Commit, type Storage, StorageUnavailable } from '../../src/storage/storage.js'
import { suite } from '../support/suite.js'
import { emit, emits, grow, items, looks, make } from './domain.js'
import { gate, rejection, settled } from './faults.js'
import { memoryLog, type Process, processOn, troubles } from './log.js'

const test = suite('writer and faults')
let log: Storage
let here: Process
let there: Process

test.before.each(async () => {
  log = await memoryLog()
  here = await processOn(log, { commitLimit_ms: 60 })
  there = await processOn(log)
})
test.after.each(async () => {
  await Promise.all([here.writer.idle(), there.writer.idle()])
  assert.equal(await troubles(log), [])
})

const sizeOf = async (id: string) => (await log.rows(1).get(items, id))?.size
const lost = () => Promise.reject(new StorageUnavailable('lost'))
const isPoisoned = ({ events }: Commit) => events.some(({ type }) => type === 'Poisoned')

test('when the answer to a commit is lost nothing is applied twice and the caller gets success', async () => {
  await here.submit(make('a'))
  let answers = 0
  here.storage.onCommit = async (_, pass) => {
    const outcome = await pass()
    return ++answers === 1 ? lost() : outcome
  }
  const outcomes = await Promise.all([here.submit(grow('a'), 'a'), here.submit(grow('a'), 'a')])
  assert.equal(
    outcomes.map(({ position, row }) => [position, row?.version]),
    [
      [2, 2],
      [3, 3]
    ]
  )
  assert.equal([await sizeOf('a'), (await log.head()).position], [2, 3])
  assert.is((await here.submit(grow('a'))).position, 4)
})

test('the same when another process has written behind it before the question is asked again', async () => {
  await here.submit(make('a'))
  let answers = 0
  here.storage.onCommit = async (_, pass) => {
    const outcome = await pass()
    if (++answers > 1) return outcome
    await there.submit(grow('a'))
    return lost()
  }
  assert.is((await here.submit(grow('a'), 'a')).position, 2)
  assert.is(await sizeOf('a'), 2)
  await here.readModel.current()
  assert.is((await here.readModel.get(items, 'a'))?.version, 3)
})

test('a commit that never reached the log is sent again', async () => {
  let sent = 0
  here.storage.onCommit = (_, pass) => (++sent === 1 ? lost() : pass())
  assert.is((await here.submit(make('a'))).position, 1)
})

test('a commit that is never answered is given up, and what comes after it is decided afresh', async () => {
  await here.submit(make('a'))
  let sent = 0
  here.storage.onCommit = async (_, pass) => {
    const outcome = await pass()
    return ++sent === 1 ? lost() : outcome
  }
  here.storage.readHeaders = lost
  const unknown = rejection(here.submit(grow('a')))
  await settled()
  const later = here.submit(grow('a'), 'a')
  assert.instance(await unknown, StorageUnavailable)
  here.storage.readHeaders = log.readHeaders
  // The first was not acknowledged, and yet it had happened.
  assert.is((await later).row?.version, 3)
  assert.is(await sizeOf('a'), 2)
})

test('who has waited behind a commit that was given up is told after one look of their own', async () => {
  const door = gate()
  here.storage.onCommit = () => door.passed.then(lost)
  const first = here.submit(make('a'))
  await settled()
  const behind = here.submit(make('b'))
  // Both have waited for longer than a commit may take, however slow the machine is.
  await setTimeout(70)
  door.open()
  assert.instance(await rejection(first), StorageUnavailable)
  const tried = here.storage.commits.length
  assert.instance(await rejection(behind), StorageUnavailable)
  assert.is(here.storage.commits.length - tried, 2, 'it was sent, and looked for once')
})

test('who has waited behind a commit that was not answered does not wait as long again', async () => {
  const door = gate()
  here.storage.onCommit = () => door.passed.then(lost)
  const first = here.submit(make('a'))
  await settled()
  const behind = here.submit(make('b'))
  await setTimeout(70)
  let asked = 0
  here.storage.onHead = () => {
    asked++
    return lost()
  }
  door.open()
  for (const one of [first, behind]) assert.instance(await rejection(one), StorageUnavailable)
  assert.is(asked, 2, 'the first was looked for once, and so was the way for the second')
})

test('while the database is away commands are refused, and when it is back they work', async () => {
  await here.submit(make('a'))
  here.storage.onCommit = lost
  here.storage.onHead = lost
  const refused = Array.from({ length: 5 }, () => here.submit(grow('a')))
  for (const one of refused) assert.instance(await rejection(one), StorageUnavailable)
  assert.instance(await rejection(here.submit(grow('a'))), StorageUnavailable)
  here.storage.onCommit = (_, pass) => pass()
  here.storage.onHead = async () => {}
  assert.is((await here.submit(grow('a'), 'a')).row?.version, 2)
})

test('what is decided again comes before what was asked for since', async () => {
  const door = gate()
  here.storage.onCommit = () => door.passed.then(() => Promise.reject(new Error('The database refused it.')))
  const first = [make('a'), grow('a')].map((decide) => here.submit(decide, 'a'))
  await settled()
  const later = here.submit(grow('a'), 'a')
  here.storage.onCommit = (_, pass) => pass()
  door.open()
  const outcomes = await Promise.all([...first, later])
  assert.equal(
    outcomes.map(({ position, row }) => [position, row?.version]),
    [
      [1, 1],
      [2, 2],
      [3, 3]
    ]
  )
})

test('a command that breaks its commit breaks no other', async () => {
  here.storage.onCommit = (commit, pass) =>
    isPoisoned(commit) ? Promise.reject(new Error('The database refused it.')) : pass()
  const [a, poisoned, b, c] = [make('a'), emits(emit('item-x', 'Poisoned')), grow('a'), grow('a')].map((decide, i) =>
    here.submit(decide, i === 1 ? undefined : 'a')
  )
  assert.match(String(await rejection(poisoned ?? Promise.resolve())), 'The database refused it.')
  assert.equal([(await a)?.position, (await b)?.position, (await c)?.row?.version], [1, 2, 3])
  await Promise.all(Array.from({ length: 5 }, () => here.submit(grow('a'))))
  assert.is(here.storage.commits.at(-1)?.events.length, 5, 'commands go together again')
})

test('a command that breaks while it is decided breaks no other and leaves nothing behind', async () => {
  const { submit } = here
  const broken = [
    submit(() => Promise.reject(new TypeError('mine'))),
    submit(() => {
      throw new TypeError('mine')
    }),
    submit(emits(emit('item-y', 'ItemMade', { group: 'g' }), emit('item-x', 'Unprojectable')))
  ]
  let left: number | undefined
  const look = looks(async (read) => {
    left = await read.count(items, 'byGroup', ['g'])
  })
  const outcomes = Promise.allSettled(broken)
  await Promise.all([submit(look), submit(make('a'))])
  assert.is(left, 0)
  assert.equal(
    (await outcomes).map(({ status }) => status),
    ['rejected', 'rejected', 'rejected']
  )
  assert.is((await log.head()).position, 1)
})

test('when the row to answer with cannot be read nothing of the command is committed', async () => {
  await here.submit(make('a'))
  const process = await processOn(log)
  const door = gate()
  process.storage.onRead = async () => {
    door.open()
    throw new StorageUnavailable('away')
  }
  const refused = process.submit(emits(emit('note-x', 'Noted')), 'a')
  assert.instance(await rejection(refused), StorageUnavailable)
  await door.passed
  assert.is((await log.head()).position, 1)
})

test('nothing is written behind a log that went back, and who asks is told at once', async () => {
  await here.submit(make('a'))
  const earlier = await memoryLog()
  await (await processOn(earlier)).submit(make('a', { size: 10 }))
  for (let i = 0; i < 3; i++) await here.submit(grow('a'))
  let asked = 0
  const write: Storage['write'] = (decide) => {
    asked++
    return earlier.write(decide)
  }
  Object.assign(here.storage, earlier, { write })
  assert.instance(await rejection(here.submit(grow('a'), 'a')), HeadWentBack)
  assert.is(asked, 1, 'it is told at once, and not asked for again')
  assert.is((await earlier.head()).position, 1)
})

test.run()
