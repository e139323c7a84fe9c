import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { migrate } from '../../migrations/migrate.js'
import { openLedger } from '../../src/app/openLedger.js'
import type { CommandOrigin, Ledger } from '../../src/ledger/ledger.js'
import { openFirestore } from '../../src/storage/firestore.js'
import { type Storage, StorageUnavailable } from '../../src/storage/storage.js'
import { change, puts } from '../contract/commits.js'
import { thing, things } from '../contract/tables.js'
import { rejection } from '../log/faults.js'
import { type FirestoreDatabase, firestoreDatabase } from '../support/databases.js'
import { startPrivateFirestore } from '../support/firestore-service.js'
import { suite } from '../support/suite.js'
import { assertUnavailable, LIMIT_MS, lostAnswerTests, newCollection, positionOf } from './lostAnswers.js'
import { type Network, startNetwork, type Wire } from './network.js'
import { settleUser, wrongs } from './world.js'

const FRAME_HEADER_BYTES = 9
const DATA_FRAME = 0

/** Only commits name the document of an event; an answer comes in a data frame of HTTP/2. */
const wire: Wire = {
  isCommit: (data) => data.includes('/hub_events/'),
  isAnswer(data) {
    for (let at = 0; at + FRAME_HEADER_BYTES <= data.length; at += FRAME_HEADER_BYTES + data.readUIntBE(at, 3)) {
      if (data[at + 3] === DATA_FRAME) return true
    }
    return false
  }
}

const test = suite('outages: firestore', { needs: ['firestore'] })
let database: FirestoreDatabase
let network: Network
let ledger: Ledger
let ada: CommandOrigin

/** Opens a log on another emulator than the one that this process uses otherwise. */
async function openAt(host: string, open: () => Promise<Storage>): Promise<Storage> {
  const usual = process.env.FIRESTORE_EMULATOR_HOST
  process.env.FIRESTORE_EMULATOR_HOST = host
  try {
    return await open()
  } finally {
    process.env.FIRESTORE_EMULATOR_HOST = usual
  }
}

test.before(async () => {
  const found = await firestoreDatabase('outage')
  if (!found) throw new Error('There is no Firestore emulator.')
  database = found
  const { hostname, port } = new URL(`http://${process.env.FIRESTORE_EMULATOR_HOST}`)
  network = await startNetwork({ host: hostname, port: Number(port) }, wire)
  const storage = await openAt(`127.0.0.1:${network.port}`, () => openFirestore(database.config))
  await migrate(storage)
  ledger = await openLedger(storage, () => null)
  ada = await settleUser(ledger, 'ada')
})
test.after(async () => {
  await ledger.close()
  await network.stop()
})
test.after.each(async () => assert.equal(await wrongs(ledger), []))

const behind = () => ({ network, ledger, ada })
const create = () => newCollection(behind())
const position = () => positionOf(behind())

/** Resolves when Firestore answers again. */
async function answers(call: () => Promise<unknown>): Promise<void> {
  for (;;) {
    const error = await call().then(
      () => null,
      (failure: unknown) => failure
    )
    if (!error) return
    assert.instance(error, StorageUnavailable)
    await sleep(10)
  }
}

lostAnswerTests(test, behind, 3)

test('while Firestore is away everything is refused quickly, and when it is back everything works', async () => {
  await network.down()
  await assertUnavailable(() => ledger.storage.head())
  await assertUnavailable(() => ledger.readModel.current())
  await assertUnavailable(() => create())
  await network.up()
  await answers(position)
  const before = await position()
  await Promise.all([create(), create(), create()])
  assert.is(await position(), before + 3)
})

for (const [what, newOnly] of [
  ['that hangs', false],
  ['whose old connection never answers again', true]
] as const) {
  test(`a Firestore ${what}: whoever asks is refused, and it works when it is back`, async () => {
    await create()
    network.freeze()
    const asked: Promise<void>[] = []
    for (let turn = 0; turn < 12; turn++) {
      asked.push(assertUnavailable(() => ledger.readModel.current()))
      asked.push(assertUnavailable(() => create()))
      await sleep(250)
    }
    await Promise.all(asked)
    network.thaw(newOnly)
    await answers(create)
  })
}

test('closing does not wait for a Firestore that does not answer', async () => {
  const storage = await openAt(`127.0.0.1:${network.port}`, () => openFirestore(database.config))
  network.freeze()
  const asked = rejection(storage.head())
  const started = performance.now()
  await storage.close()
  assert.ok(performance.now() - started < LIMIT_MS)
  await network.down()
  assert.instance(await asked, StorageUnavailable)
  assert.instance(await rejection(storage.head()), StorageUnavailable)
  network.thaw()
  await network.up()
  await answers(position)
})

test('a Firestore that cannot be reached, or whose credentials are not there, is not opened', async () => {
  await assertUnavailable(() => openAt('127.0.0.1:1', () => openFirestore(database.config)))
  const keyFilename = '/nonexistent/key.json'
  const open = () => openFirestore({ ...database.config, keyFilename })
  const emulator = process.env.FIRESTORE_EMULATOR_HOST
  delete process.env.FIRESTORE_EMULATOR_HOST
  await assertUnavailable(open)
  process.env.FIRESTORE_EMULATOR_HOST = emulator
})

test('an emulator that is killed and comes back empty is not taken for the log that was there', async () => {
  const first = await startPrivateFirestore()
  const storage = await openAt(first.host, () => openFirestore(database.config))
  await storage.schema.createTables()
  for (const id of ['a', 'b']) await change(storage, ...puts(things, [thing(id)]))
  const commit = async () => change(storage, ...puts(things, [thing('c')]))
  process.kill(first.pid, 'SIGKILL')
  await first.stop()
  await assertUnavailable(() => storage.head())
  await assertUnavailable(commit)
  const second = await startPrivateFirestore({ port: first.port })
  await answers(async () => {
    const error = await rejection(storage.head())
    if (!String(error).includes('no hub in it')) throw error
  })
  await storage.schema.createTables()
  assert.is((await storage.head()).position, 0)
  await commit()
  assert.is((await storage.head()).position, 1)
  await storage.close()
  await second.stop()
})

test.run()
