import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { migrate } from '../../migrations/migrate.js'
import { tables } from '../../projections/index.js'
import { openLedger } from '../../src/app/openLedger.js'
import type { CommandOrigin, Ledger } from '../../src/ledger/ledger.js'
import { sha256 } from '../../src/log/chain.js'
import { acceptHead, headsAt, type KnownHeads, withKnownHeads } from '../../src/log/knownHeads.js'
import { HeadWentBack } from '../../src/log/wentBack.js'
import { openSqlite } from '../../src/storage/sqlite.js'
import { type Storage, StorageUnavailable } from '../../src/storage/storage.js'
import { connectRedisThrottle } from '../../src/throttle/redis.js'
import type { Throttle } from '../../src/throttle/throttle.js'
import { rejection } from '../log/faults.js'
import { type RedisSpace, redisSpace, type TemporaryDirectory, temporaryDirectory } from '../support/databases.js'
import { suite } from '../support/suite.js'
import { newCollections, settleUser } from './world.js'

const test = suite('hubs that tell each other how far the log has come', { needs: ['redis'] })

let folder: TemporaryDirectory
let space: RedisSpace
let throttle: Throttle
let heads: KnownHeads
let ada: CommandOrigin
/** Databases that hold the same up to here: one that others go on with, and the one that it has taken over from. */
let primary: Storage
let former: Storage
let open: Ledger[] = []

test.before.each(async () => {
  folder = await temporaryDirectory()
  const found = await redisSpace()
  if (!found) throw new Error('There is no Redis.')
  space = found
  throttle = await connectRedisThrottle(space)
  heads = throttle.heads
  const [path, copy] = ['primary.db', 'former.db'].map((name) => join(folder.path, name)) as [string, string]
  const first = await openSqlite(path, 'hub_', tables)
  await migrate(first)
  const ledger = await openLedger(first, () => null)
  ada = await settleUser(ledger, 'ada')
  await ledger.close()
  for (const end of ['', '-wal']) await copyFile(path + end, copy + end).catch(() => {})
  primary = await openSqlite(path, 'hub_', tables)
  former = await openSqlite(copy, 'hub_', tables)
})
test.after.each(async () => {
  await Promise.all(open.map((ledger) => ledger.close()))
  open = []
  await throttle.close()
  await space.clear()
})

const notices: string[] = []
/** A hub on one of the databases, which tells and is told. */
async function hubOn(storage: Storage): Promise<Ledger> {
  const ledger = await openLedger(
    await withKnownHeads(storage, heads, false, (text) => void notices.push(text)),
    () => null
  )
  open.push(ledger)
  return ledger
}
const create = async (hub: Ledger) => {
  const [command] = newCollections(1)
  if (!command) throw new Error('There is no command.')
  return hub.run(command, ada)
}

test('a hub that is left alone with a former primary reads and writes nothing once others have gone on', async () => {
  const [left, other] = [await hubOn(former), await hubOn(primary)]
  await left.readModel.current()
  await create(other)
  assert.instance(await rejection(left.readModel.current()), HeadWentBack)
  assert.instance(await rejection(create(left)), StorageUnavailable)
  await create(other)
  await other.readModel.current()
})

test('a change whose answer was lost, and which the log has, is told before it is acknowledged', async () => {
  let lost = 0
  const write: Storage['write'] = async (decide) => {
    const outcome = await primary.write(decide)
    if (++lost === 1) throw new StorageUnavailable('The answer is lost.')
    return outcome
  }
  const [left, other] = [await hubOn(former), await hubOn({ ...primary, write })]
  await left.readModel.current()
  await create(other)
  assert.is(lost, 2)
  assert.instance(await rejection(left.readModel.current()), HeadWentBack)
})

test('a hub whose own database goes back finds it out by what it has told itself', async () => {
  const place = { ...primary }
  const storage = await withKnownHeads(place, heads, false, () => {})
  const hub = await openLedger(storage, () => null)
  open.push(hub)
  await create(hub)
  await storage.head()
  Object.assign(place, former)
  assert.instance(await rejection(storage.head()), HeadWentBack)
})

test('of two that write the same place of the log on two databases one alone is acknowledged', async () => {
  const [left, other] = [await hubOn(former), await hubOn(primary)]
  const outcomes = await Promise.allSettled([create(left), create(other)])
  const statuses = outcomes.map(({ status }) => status)
  assert.equal(statuses.toSorted(), ['fulfilled', 'rejected'])
  await throttle.close()
  const refused = statuses[0] === 'rejected' ? left : other
  assert.instance(await rejection(create(refused)), StorageUnavailable)
})

test('hubs on one database are never in each other’s way, however often they write', async () => {
  notices.length = 0
  const hubs = await Promise.all([hubOn(primary), hubOn(primary), hubOn(primary)])
  await Promise.all(
    hubs.flatMap((hub) =>
      Array.from({ length: 10 }, async () => {
        await create(hub)
        await hub.readModel.current()
      })
    )
  )
  assert.equal(notices, [])
})

test('a hub goes on by itself when its database holds what others have told', async () => {
  const left = await hubOn(primary)
  await left.readModel.current()
  const { position, chain, at } = await primary.head()
  const [first] = await primary.readHeaders(0, 1)
  const told = { position: position + 1, chain: 'f'.repeat(64), at }
  const log = sha256(`${first?.chain} `)
  await heads.accept(log, told)
  assert.instance(await rejection(left.readModel.current()), HeadWentBack)
  await heads.accept(log, { position, chain, at })
  await left.readModel.current()
  await create(left)
})

test('what an operator accepts is where everybody goes on', async () => {
  const other = await hubOn(primary)
  await create(other)
  const left = await hubOn(former).catch((error: unknown) => error)
  assert.instance(left, HeadWentBack)
  await acceptHead(former, heads)
  const again = await hubOn(former)
  await create(again)
  assert.instance(await rejection(other.readModel.current()), HeadWentBack)
})

test('a copy of the log at another place, as one that was restored to look at it, is another log', async () => {
  const at = async (storage: Storage, place: string) => {
    const own = headsAt(() => heads, place)
    const ledger = await openLedger(await withKnownHeads(storage, own, false, () => {}), () => null)
    open.push(ledger)
    return ledger
  }
  const [served, looked] = [await at(primary, 'hub'), await at(former, 'copy')]
  for (const hub of [served, looked, served, looked]) await create(hub)
})

test('a store that does not answer keeps nobody from writing', async () => {
  const hub = await hubOn(primary)
  await throttle.close()
  await create(hub)
  await hub.readModel.current()
})

test.run()
