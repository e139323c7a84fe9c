import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { migrate } from '../../migrations/migrate.js'
import { openLedger } from '../../src/app/openLedger.js'
import { type CommandOrigin, systemOrigin } from '../../src/ledger/ledger.js'
import { NO_KEYS } from '../../src/log/chain.js'
import type { StoredEvent } from '../../src/log/event.js'
import type { Storage } from '../../src/storage/storage.js'
import { verifyChain } from '../../src/trust/audit/verify.js'
import { LoggedErasures } from '../../src/trust/backup/erasures.js'
import { exportLog } from '../../src/trust/backup/export.js'
import { readBackup, restoreBackup } from '../../src/trust/backup/restore.js'
import { nameIn } from '../../src/trust/backup/sets.js'
import { startBehind } from '../../src/trust/backup/verify.js'
import { writeBackup } from '../../src/trust/backup/write.js'
import { carryOut, planAccount, planDeleted } from '../../src/trust/erasure/erase.js'
import { eraseValue } from '../../src/trust/erasure/value.js'
import { newLedger } from '../history/log.js'
import { fields } from '../http/client.js'
import { settleUser } from '../race/world.js'
import { eventsOf } from '../support/append.js'
import { openMemory } from '../support/memoryStorage.js'
import { suite } from '../support/suite.js'
import { backup, linesIn, NOW, newPlace, type Place, refusal, restored, writeLines } from './place.js'

const test = suite('what is erased, and backups')
const SECRET = 'sesame'
const NAME = 'Scheherazade'
let place: Place
let person: string
let agent: CommandOrigin

const variables = (value: string) => [{ key: 'word', value, defaultValue: '', share: true, enabled: true }]

test.before.each(async () => {
  place = await newPlace()
  const { ledger } = place
  agent = await settleUser(ledger, NAME)
  await ledger.run({ type: 'CreateCollection', id: 'gone', name: SECRET }, agent)
  person = (await eventsOf(ledger.storage, 'collection-gone'))[0]?.actorId ?? ''
  await ledger.run({ type: 'CreateEnvironment', id: 'e', name: 'Desert' }, agent)
  for (const value of [SECRET, 'harmless'])
    await ledger.run(
      { type: 'UpdateEnvironment', id: 'e', content: { name: 'Desert', variables: variables(value) } },
      agent
    )
})

/** Erases a collection, a value and an account. */
async function eraseAll(): Promise<void> {
  const { ledger } = place
  await ledger.run({ type: 'DeleteCollection', id: 'gone' }, agent)
  await carryOut(ledger, await planDeleted(ledger, 'collection', 'gone'))
  await eraseValue(ledger, 'environment', 'e', 2, '/variables/0/value')
  await ledger.run({ type: 'DeleteUser', id: person }, systemOrigin)
  await carryOut(ledger, await planAccount(ledger, person))
}

async function textOf(storage: Storage): Promise<string> {
  return JSON.stringify(await storage.readLog(0, 1000))
}

test('an older backup still has it: who restores that has it again', async () => {
  await backup(place.ledger.storage, place.path('old.backup'))
  await eraseAll()
  assert.not.match(await textOf(place.ledger.storage), SECRET)
  assert.match(await textOf((await restored(place.path('old.backup'))).storage), SECRET)
})

test('where it is erased while the backup is written, the file tells of it, and what it still holds does not come back', async () => {
  const { storage } = place.ledger
  let reads = 0
  const busy: Storage = {
    ...storage,
    async readLog(after, limit) {
      reads++
      // The first events were read before, the others after it.
      if (after === 7) await eraseAll()
      return storage.readLog(after, Math.min(7, limit))
    }
  }
  const file = place.path('hub.backup')
  const report = await backup(busy, file)
  assert.ok(reads > 2)
  assert.match(linesIn(file).join(), SECRET, 'it was read before it was erased')
  assert.is(report.end.position, (await storage.head()).position, 'the file goes on to where it is told')
  const { storage: copy, different } = await restored(file)
  assert.equal(different, [])
  assert.equal(await copy.readLog(0, 1000), await storage.readLog(0, 1000))
})

test('where an increment tells of it, what the full backup holds of it does not come back', async () => {
  const { storage } = place.ledger
  const directory = place.path('backups')
  await mkdir(directory)
  const full = await backup(storage, join(directory, nameIn(NOW, 0)))
  await eraseAll()
  const { position } = full.end
  const start = startBehind(full)
  const plan = { file: join(directory, nameIn(NOW, 1)), start, keys: NO_KEYS, now: NOW }
  const { events } = await writeBackup(storage, plan)
  assert.is(events, (await storage.head()).position - position)
  assert.match(linesIn(join(directory, nameIn(NOW, 0))).join(), SECRET)
  assert.equal(await (await restored(directory)).storage.readLog(0, 1000), await storage.readLog(0, 1000))
  assert.match(await refusal(restored(plan.file.replace(nameIn(NOW, 1), 'nothing'))), 'File not found')
})

test('what one value was taken out of before the full backup goes as a whole where an increment tells that', async () => {
  const { ledger } = place
  const { storage } = ledger
  const directory = place.path('backups')
  await mkdir(directory)
  await eraseValue(ledger, 'environment', 'e', 2, '/variables/0/value')
  const full = await backup(storage, join(directory, nameIn(NOW, 0)))
  await ledger.run({ type: 'DeleteEnvironment', id: 'e' }, agent)
  await carryOut(ledger, await planDeleted(ledger, 'environment', 'e'))
  const plan = { file: join(directory, nameIn(NOW, 1)), start: startBehind(full), keys: NO_KEYS, now: NOW }
  await writeBackup(storage, plan)
  const { storage: copy } = await restored(directory)
  assert.not.match(await textOf(copy), 'Desert')
  assert.equal(await copy.readLog(0, 1000), await storage.readLog(0, 1000))
})

test('a log that is restored up to before it stays without it, and says so itself', async () => {
  const { storage } = place.ledger
  const before = (await storage.head()).position
  await eraseAll()
  await backup(storage, place.path('hub.backup'))
  const { position, appendedErasures, storage: copy } = await restored(place.path('hub.backup'), { position: before })
  assert.is(position, before)
  assert.ok(appendedErasures >= 3)
  assert.is((await copy.head()).position, before + appendedErasures)
  const text = await textOf(copy)
  assert.not.match(text, SECRET)
  assert.not.match(text, NAME)
})

test('a restore up to before it that is killed while it says so is run again, and so is one that is done', async () => {
  const { ledger, path } = place
  const before = (await ledger.storage.head()).position
  const data = { actorId: null, afterPosition: 0, throughPosition: before }
  // More than one commit tells of.
  for (let i = 0; i < 60; i++) await ledger.run({ type: 'EraseNames', id: `e${i}`, data }, systemOrigin)
  await eraseAll()
  await backup(ledger.storage, path('hub.backup'))
  const until = { position: before }
  const whole = await restored(path('hub.backup'), until)
  const copy = openMemory()
  await migrate(copy)
  const read = await readBackup([path('hub.backup')], NO_KEYS, until)
  const restore = (storage: Storage) => restoreBackup(storage, read, NO_KEYS, NOW, null)
  let told = 0
  const dying: Storage = {
    ...copy,
    async commit(commit) {
      if (commit.after.position >= before && told++ > 0) throw new Error('killed')
      return copy.commit(commit)
    }
  }
  assert.is(await refusal(restore(dying)), 'killed')
  const { position: killedAt } = await copy.head()
  assert.ok(killedAt > before && killedAt < before + whole.appendedErasures)
  for (const run of ['the second', 'one more']) {
    const { position, chain, appendedErasures } = await restore(copy)
    assert.equal([position, chain, appendedErasures], [before, whole.chain, whole.appendedErasures], run)
    const said = (events: readonly StoredEvent[]) =>
      events.map(({ type, payload, who }) => [type, payload.text, who.text])
    assert.equal(said(await copy.readLog(0, 1000)), said(await whole.storage.readLog(0, 1000)))
  }
  assert.is((await verifyChain(copy)).bad, null)
  const other = await settleUser(await openLedger(copy, () => null), 'Dinarzade')
  assert.ok(other)
  assert.match(await refusal(restore(copy)), 'The hub holds more than the file')
})

test('of a log that is cut off right behind what was erased that is told again, and of one that ends before it not', async () => {
  const { storage } = place.ledger
  await eraseAll()
  const erasures = new LoggedErasures()
  const log = await storage.readLog(0, 1000)
  for (const event of log) erasures.see(event)
  const told = (end: number, type: string) =>
    erasures.eventsBehind(end).flatMap((event) => (event.type === type ? [fields(event.data)] : []))
  const positionOf = async (stream: string, version: number) =>
    (await eventsOf(storage, stream))[version - 1]?.position ?? 0
  const made = await positionOf('collection-gone', 1)
  const positions = (end: number) => told(end, 'PayloadsErased').flatMap((data) => data.positions)
  assert.equal([positions(made).includes(made), positions(made - 1).includes(made)], [true, false])
  const changed = await positionOf('environment-e', 2)
  assert.equal([told(changed, 'ValueErased').length, told(changed - 1, 'ValueErased').length], [1, 0])
  const first = log.find(({ actorId }) => actorId === person)?.position ?? 0
  for (const end of [first, 1])
    assert.equal(told(end, 'NamesErased'), [{ actorId: person, afterPosition: 0, throughPosition: end }])
  assert.equal(erasures.eventsBehind(0), [])
  const last = log.findLast(({ type }) => type === 'NamesErased')?.position ?? 0
  assert.equal([told(last - 1, 'NamesErased').length, told(last, 'NamesErased').length], [1, 0])
})

test('of a log that is cut off before a deletion was undone that is not told', async () => {
  const ledger = await newLedger(openMemory())
  const data = { kind: 'request', id: 'r', positions: [1, 5], undone: [{ position: 3, by: 5 }] }
  await ledger.run({ type: 'ErasePayloads', id: 'r', data }, systemOrigin)
  const erasures = new LoggedErasures()
  for (const event of await ledger.storage.readLog(0, 10)) erasures.see({ ...event, position: 9 })
  const told = (end: number) => erasures.eventsBehind(end).map((event) => fields(event.data).undone)
  assert.equal([told(5), told(4)], [[data.undone], [[]]])
  await ledger.close()
})

test('each of several values that were taken out of one version goes', async () => {
  const { ledger } = place
  const [, version] = await eventsOf(ledger.storage, 'environment-e')
  assert.ok(version)
  const { position } = version
  for (const path of ['/variables/0/value', '/name']) {
    const data = { kind: 'environment', id: 'e', position, path, remainingHash: '' }
    await ledger.run({ type: 'EraseValue', id: 'e', data }, systemOrigin)
  }
  const erasures = new LoggedErasures()
  for (const event of await ledger.storage.readLog(0, 1000)) erasures.see(event)
  assert.match(String(version.payload.text), SECRET)
  assert.not.match(String(erasures.applied(version).payload.text), new RegExp(`${SECRET}|Desert`))
})

test('where the names of everybody were erased up to a position, they go of whoever acted up to there', async () => {
  const { ledger } = place
  const log = await ledger.storage.readLog(0, 1000)
  const own = log.filter(({ actorId }) => actorId === person)
  const [through, behind] = [own[0], own.at(-1)]
  assert.ok(through && behind && through !== behind)
  const data = { actorId: null, afterPosition: 0, throughPosition: through.position }
  await ledger.run({ type: 'EraseNames', id: 'everybody', data }, systemOrigin)
  const erasures = new LoggedErasures()
  for (const event of await ledger.storage.readLog(0, 1000)) erasures.see(event)
  const nameless = log.filter((event) => erasures.applied(event).who.text === null).map(({ position }) => position)
  assert.equal(
    nameless,
    log.filter(({ position }) => position <= through.position).map(({ position }) => position)
  )
})

test('names go up to the last position that an erasure tells, and no further', async () => {
  const { storage } = place.ledger
  await eraseAll()
  const erasures = new LoggedErasures()
  const log = await storage.readLog(0, 1000)
  for (const event of log) erasures.see(event)
  const through = log.findLast(({ actorId }) => actorId === person)?.position ?? 0
  const nameAt = (position: number) => {
    const [event] = log.filter((one) => one.position === through)
    assert.ok(event)
    return erasures.applied({ ...event, position, who: { ...event.who, text: NAME, salt: 'salt' } }).who.text
  }
  assert.equal([nameAt(1), nameAt(through), nameAt(through + 1)], [null, null, NAME])
})

test('what is gone, and no event tells that it was erased, is in no backup: neither written nor verified', async () => {
  const { storage } = place.ledger
  const [, , version] = await eventsOf(storage, 'environment-e')
  const position = version?.position ?? 0
  const without = (event: StoredEvent) =>
    event.position === position ? { ...event, payload: { ...event.payload, text: null, salt: null } } : event
  const robbed = {
    ...storage,
    readLog: async (after: number, limit: number) => (await storage.readLog(after, limit)).map(without)
  }
  const file = place.path('hub.backup')
  assert.match(await refusal(backup(robbed, file)), `Position ${position}: What it held was erased, and no event tells`)
  await backup(storage, file)
  const lines = linesIn(file).map((line) => JSON.stringify(without(JSON.parse(line))))
  writeLines(file, lines)
  assert.match(
    await refusal(restored(file)),
    `position ${position}: what it held was erased, and no event tells by whom.`
  )
})

test('where a log is restored in parts, what a later part tells to be erased goes', async () => {
  const { storage } = place.ledger
  const file = place.path('hub.backup')
  await exportLog(place.ledger, file, { keys: NO_KEYS, now: NOW })
  const target = openMemory()
  await migrate(target)
  const restore = async () => {
    const read = await readBackup([file], NO_KEYS, undefined)
    return restoreBackup(target, read, NO_KEYS, NOW, null)
  }
  await restore()
  assert.match(await textOf(target), SECRET)
  await eraseAll()
  await exportLog(place.ledger, file, { keys: NO_KEYS, now: NOW })
  await restore()
  assert.equal(await target.readLog(0, 1000), await storage.readLog(0, 1000))
  assert.not.match(await textOf(target), SECRET)
  assert.not.match(await textOf(target), NAME)
})

test('up to a time, a position, and no further than the backup goes', async () => {
  let now = NOW
  const other = await newPlace(() => now)
  now += 60_000
  await other.folder(3)
  const { position } = await other.ledger.storage.head()
  now += 60_000
  await other.folder(3)
  const file = other.path('hub.backup')
  await backup(other.ledger.storage, file)
  const time = new Date(NOW + 60_000).toISOString()
  const { storage, isAsBackedUp, appendedErasures } = await restored(file, { time })
  assert.equal([(await storage.head()).position, isAsBackedUp, appendedErasures], [position, false, 0])
  assert.equal(await storage.readLog(0, 100), await other.ledger.storage.readLog(0, position))
  assert.is((await restored(file, { position: 2 })).position, 2)
  assert.match(await refusal(restored(file, { position: 99 })), 'The backup ends at position 9')
  assert.match(await refusal(restored(file, { position: 0 })), 'Nothing of the backup is that old.')
  assert.match(
    await refusal(restored(file, { time: '2020-01-01T00:00:00.000Z' })),
    'Nothing of the backup is that old.'
  )
  assert.is((await restored(file, { time: '2030-01-01T00:00:00.000Z' })).position, 9)
})

test.run()
