import * as assert from 'uvu/assert'
import { type Commit, type Storage, StorageUnavailable } from '../../src/storage/storage.js'
import { suite } from '../support/suite.js'
import { emit, emits, grow, items, looks, make, Refused, set } from './domain.js'
import { gate, rejection, settled } from './faults.js'
import { memoryLog, type Process, processOn, troubles, withoutLock } from './log.js'

const test = suite('writer beside another process, on a log that has no lock')
let log: Storage
let here: Process
let there: Process

test.before.each(async () => {
  log = withoutLock(await memoryLog())
  here = await processOn(log)
  there = await processOn(log)
})
test.after.each(async () => {
  await Promise.all([here.writer.idle(), there.writer.idle()])
  assert.equal(await troubles(log), [])
})

const sizeOf = async (id: string) => (await log.rows(1).get(items, id))?.size

test('what the other has committed is taken in before anything is decided', async () => {
  await here.submit(make('a'))
  await there.submit(grow('a'))
  const outcomes = await Promise.all([here.submit(grow('a'), 'a'), here.submit(grow('a'), 'a')])
  assert.equal(
    outcomes.map(({ row }) => row?.version),
    [3, 4]
  )
  assert.is(await sizeOf('a'), 3)
})

test('when the other was faster the batch is decided again on top of that', async () => {
  await here.submit(make('x'))
  await there.readModel.current()
  const door = here.holdCommits()
  const made = here.submit(make('a'))
  const refused = here.submit(make('a', { size: 7 }))
  const grown = here.submit(grow('a'), 'a')
  await settled()
  // Somebody else makes `a` first: of all these only growing it is right now.
  await there.submit(make('a', { size: 40 }))
  door.open()
  assert.instance(await rejection(made), Refused)
  assert.instance(await rejection(refused), Refused)
  assert.is((await grown).row?.version, 2)
  assert.is(await sizeOf('a'), 41)
})

test('a commit without an answer, whose place the other has taken, is decided again behind that', async () => {
  await here.submit(make('a'))
  let sent = 0
  here.storage.onCommit = async (_, pass) => {
    if (++sent > 1) return pass()
    await there.submit(grow('a'))
    throw new StorageUnavailable('lost')
  }
  const { position, row } = await here.submit(grow('a'), 'a')
  assert.equal([position, row?.version], [3, 3])
  assert.is(await sizeOf('a'), 2)
})

test('a commit without an answer that the log has is not done again, though the other writes while it is looked for', async () => {
  await here.submit(make('a'))
  let sent = 0
  here.storage.onCommit = async (_, pass) => {
    const outcome = await pass()
    if (++sent > 1) return outcome
    throw new StorageUnavailable('lost')
  }
  here.storage.readHeaders = async (...asked) => {
    const found = await log.readHeaders(...asked)
    here.storage.readHeaders = log.readHeaders
    await there.submit(grow('a'))
    return found
  }
  assert.is((await here.submit(grow('a'), 'a')).position, 2)
  assert.equal([await sizeOf('a'), (await log.head()).position], [2, 3])
})

test('a commit that arrives after it was given up, and before it is sent again, is not done again', async () => {
  await here.submit(make('a'))
  let late: Commit | undefined
  here.storage.onCommit = async (commit, pass) => {
    if (late) {
      assert.is(await log.commit(late), 'committed')
      here.storage.onCommit = (_, pass) => pass()
      return pass()
    }
    late = commit
    throw new StorageUnavailable('lost')
  }
  assert.is((await here.submit(grow('a'), 'a')).position, 2)
  assert.equal([await sizeOf('a'), (await log.head()).position], [1, 2])
})

test('a commit without an answer is decided again where the head has been given another name meanwhile', async () => {
  await here.submit(make('a'))
  let sent = 0
  here.storage.onCommit = async (_, pass) => {
    if (++sent > 1) return pass()
    await log.schema.writeUnder('another')
    throw new StorageUnavailable('lost')
  }
  assert.is((await here.submit(grow('a'), 'a')).position, 2)
  assert.equal([await sizeOf('a'), sent], [1, 3])
})

test('a refusal that the other has made wrong meanwhile is decided again', async () => {
  await here.submit(make('a'))
  await there.submit(set('a', { group: 'elsewhere' }))
  const unlessElsewhere = here.submit(async (read) => {
    if ((await read.get(items, 'a'))?.group !== 'elsewhere') throw new Refused()
    return grow('a')(read)
  })
  assert.is((await unlessElsewhere).position, 3)
})

test('what changes nothing is answered on the state of the log too', async () => {
  await here.submit(make('a', { size: 1 }))
  await there.submit(set('a', { size: 2 }))
  const { position, row } = await here.submit(
    looks((read) => read.get(items, 'a')),
    'a'
  )
  assert.equal([position, row?.version], [2, 2])
})

test('two processes that write all the time both finish, and nothing is lost', async () => {
  await here.submit(make('a'))
  const each = 60
  await Promise.all([here, there].flatMap(({ submit }) => Array.from({ length: each }, () => submit(grow('a')))))
  assert.is(await sizeOf('a'), 2 * each)
  assert.is((await log.head()).position, 1 + 2 * each)
})

test('questions, catching up and writing at once leave a read model that equals the log', async () => {
  await Promise.all(['a', 'b', 'c'].map((id) => here.submit(make(id))))
  const turns = Array.from({ length: 40 }, async (_, i) => {
    const process = i % 2 === 0 ? here : there
    for (let turn = 0; turn < i; turn++) await Promise.resolve()
    await process.submit(grow(['a', 'b', 'c'][i % 3] ?? 'a'))
    await here.readModel.current()
    await here.readModel.get(items, 'a')
  })
  await Promise.all(turns)
  await here.readModel.current()
  for (const id of ['a', 'b', 'c']) assert.equal(await here.readModel.get(items, id), await log.rows(1).get(items, id))
  assert.equal(here.readModel.head, await log.head())
})

test('what this process committed just before the other deleted it is not remembered', async () => {
  await here.submit(make('a'))
  const door = gate()
  // The answer to the commit is late: by then the other has gone on, and this process has read what it did.
  here.storage.onCommit = async (_, pass) => {
    const outcome = await pass()
    await door.passed
    return outcome
  }
  const grown = here.submit(grow('a'))
  await settled()
  await there.submit(emits(emit('group-g', 'GroupGone')))
  const caughtUp = here.readModel.catchUp()
  await settled()
  door.open()
  await Promise.all([grown, caughtUp])
  await here.readModel.current()
  assert.is(await here.readModel.get(items, 'a'), null)
  assert.equal(here.readModel.head, await log.head())
})

test.run()
