import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { noAuth } from '../../commands/content.js'
import { migrate } from '../../migrations/migrate.js'
import { tables } from '../../projections/index.js'
import { verify } from '../../projections/verify.js'
import { writable } from '../../src/app/hub.js'
import { openLedger } from '../../src/app/openLedger.js'
import { systemOrigin } from '../../src/ledger/ledger.js'
import { makeKey } from '../../src/lib/keyFile.js'
import { type Keyring, NO_KEYS } from '../../src/log/chain.js'
import type { Storage } from '../../src/storage/storage.js'
import { readKeyring } from '../../src/trust/audit/sealKey.js'
import { type ChainReport, type Checkpoint, verifyChain } from '../../src/trust/audit/verify.js'
import { carryOut, planAccount, planDeleted } from '../../src/trust/erasure/erase.js'
import { postgresTestDatabase, sqliteDatabase, type TestDatabase } from '../contract/databases.js'
import { settleUser } from '../race/world.js'
import { temporaryDirectory } from '../support/databases.js'
import { suite } from '../support/suite.js'
import { copyOf, type Intruder, intrude, putBack } from './intruder.js'
import { type Finder, type Prey, type Way, ways } from './ways.js'

// From dist/test/audit to the root of the project.
const SECURITY = new URL('../../../SECURITY.md', import.meta.url)
const COLUMNS: readonly Finder[] = ['verify', 'checkpoint', 'key', 'key and checkpoint', 'projections']

/** A hub with some past, and what is needed to verify it and to get into its database. */
interface Place {
  readonly storage: Storage
  readonly keys: Keyring
  readonly checkpoint: Checkpoint
  readonly prey: Prey
  readonly intruder: Intruder
  readonly whole: ReadonlyMap<string, readonly Readonly<Record<string, unknown>>[]>
  readonly ledger: Awaited<ReturnType<typeof openLedger>>
  close(): Promise<void>
}

async function placeOf(database: TestDatabase, isSealed: boolean): Promise<Place> {
  const directory = await temporaryDirectory()
  const sealKeyFile = isSealed ? join(directory.path, 'key') : undefined
  if (sealKeyFile) makeKey(sealKeyFile)
  const files = { sealKeyFile, formerSealKeyFiles: [] }
  const storage = await database.open(tables)
  await migrate(storage)
  const { guard, sealing } = await writable(storage, { audit: files }, Date.now)
  const ledger = await openLedger(guard, () => null, undefined, undefined, sealing)
  if (!database.config) throw new Error('Nobody else gets into this database.')
  const intruder = await intrude(database.config)
  const end = async () => (await storage.head()).position

  await ledger.run({ type: 'CreateSystemAccount' }, systemOrigin)
  const [bob, ann] = [await settleUser(ledger, 'Bob'), await settleUser(ledger, 'Ann')]
  await ledger.run({ type: 'CreateEnvironment', id: 'e', name: 'Desert' }, bob)
  await ledger.run({ type: 'UpdateEnvironment', id: 'e', content: { name: 'Oasis', variables: [] } }, bob)
  const update = await end()
  await ledger.run({ type: 'CreateCollection', id: 'c', name: 'Treasures' }, ann)
  const emptied = await end()
  await ledger.run({ type: 'DeleteCollection', id: 'c' }, ann)
  const nameless = await end()
  await carryOut(ledger, await planDeleted(ledger, 'collection', 'c'))
  const annId = (await storage.readLog(nameless - 1, 1))[0]?.actorId ?? ''
  await ledger.run({ type: 'DeleteUser', id: annId }, systemOrigin)
  await carryOut(ledger, await planAccount(ledger, annId))
  const older = await copyOf(intruder)
  for (const id of ['a', 'b']) await ledger.run({ type: 'CreateCollection', id, name: id }, bob)
  const { position, chain } = await storage.head()
  const content = { name: 'Zoo', variables: [], headers: [], auth: noAuth, preRequestScript: '', postRequestScript: '' }
  await ledger.run({ type: 'CreateCollection', id: 'zoo', name: 'Zoo' }, bob)
  await ledger.run({ type: 'UpdateCollection', id: 'zoo', content: { ...content, name: 'Ark' } }, bob)

  const prey = { update, emptied, nameless: emptied, checkpoint: position, end: await end(), older }
  return {
    ...{ storage, ledger, intruder, prey, checkpoint: { position, chain } },
    keys: isSealed ? readKeyring(files) : NO_KEYS,
    whole: await copyOf(intruder),
    async close() {
      await intruder.close()
      await directory.remove()
    }
  }
}

/** What each verification says after a way was gone on a hub. */
async function foundOn({ storage, keys, checkpoint }: Place): Promise<readonly [ChainReport, ChainReport]> {
  return [await verifyChain(storage, { keys }), await verifyChain(storage, { keys, checkpoints: [checkpoint] })]
}

/** True where a replay gives other rows than the live ones, or none, since the log cannot be read. */
async function differ({ storage, ledger }: Place): Promise<boolean> {
  const { equal } = await verify(storage, ledger.readEvents, () => createHash('sha256')).catch(() => ({ equal: false }))
  return !equal
}

/** Goes one way on a hub without a key and on one with it, and returns who has found it. */
async function tried(way: Way, plain: Place, sealed: Place): Promise<readonly Finder[]> {
  const found: Finder[] = []
  for (const [place, names] of [
    [plain, ['verify', 'checkpoint']],
    [sealed, ['key', 'key and checkpoint']]
  ] as const) {
    await way.carryOut(place.intruder, place.prey)
    const reports = await foundOn(place)
    for (const [i, report] of reports.entries()) {
      const name = names[i]
      if (!report.bad || !name) continue
      found.push(name)
      if (way.at) assert.is(report.bad.position, way.at(place.prey), `${way.what}, ${name}: ${report.bad.reason}`)
    }
    if (place === sealed && (await differ(place))) found.push('projections')
    await putBack(place.intruder, place.whole)
  }
  return found
}

const rowOf = ({ what, by }: Way) =>
  `| ${what} | ${COLUMNS.map((one) => (by.includes(one) ? 'found' : '–')).join(' | ')} |`

for (const [name, open, needs, tries] of [
  ['SQLite', sqliteDatabase, [], ways],
  ['Postgres', postgresTestDatabase, ['postgres'], ways.filter((_, i) => i % 4 === 0)]
] as const) {
  const test = suite(`whoever can write the database, on ${name}`, { needs })
  const databases: TestDatabase[] = []
  let plain: Place
  let sealed: Place

  test.before(async () => {
    for (let i = 0; i < 2; i++) databases.push(await open())
    const [one, other] = databases
    if (!one || !other) return
    plain = await placeOf(one, false)
    sealed = await placeOf(other, true)
  })
  test.after(async () => {
    await plain?.close()
    await sealed?.close()
  })

  test('a log that nobody has touched holds, with everything that it can be verified with', async () => {
    for (const place of [plain, sealed]) {
      for (const report of await foundOn(place)) assert.is(report.bad, null, report.bad?.reason)
    }
    assert.is((await verifyChain(plain.storage)).sealed, null)
    const { sealed: by } = await verifyChain(sealed.storage, { keys: sealed.keys })
    assert.equal(by, { keyId: sealed.keys.inForce.keyId, from: 2 })
  })

  for (const way of tries) {
    test(`${way.what}: found by ${way.by.join(', ')}, and by nothing else`, async () => {
      assert.equal(await tried(way, plain, sealed), way.by)
    })
  }

  test.run()
}

const table = suite('the table of SECURITY.md')
table('says of every way who finds it, as the tests do', () => {
  const text = readFileSync(SECURITY, 'utf8')
  for (const way of ways) assert.ok(text.includes(rowOf(way)), rowOf(way))
  assert.ok(ways.length >= 20)
})
table.run()
