import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { gzipSync } from 'node:zlib'
import * as assert from 'uvu/assert'
import { NO_KEYS } from '../../src/log/chain.js'
import type { StoredEvent } from '../../src/log/event.js'
import type { Storage } from '../../src/storage/storage.js'
import { verifyBackup } from '../../src/trust/backup/verify.js'
import { writeBackup } from '../../src/trust/backup/write.js'
import { suite } from '../support/suite.js'
import { backup, linesIn, NOW, newPlace, type Place, refusal, restored, writeLines } from './place.js'

const test = suite('the file of a backup')
let place: Place
test.before.each(async () => {
  place = await newPlace()
  await place.folder(5)
})

const verdict = (file: string) => refusal(verifyBackup([file], { keys: NO_KEYS }))

test('holds the log, the uses of tokens and the digests, and restores to equal ones', async () => {
  const file = place.path('hub.backup')
  const report = await backup(place.ledger.storage, file)
  const head = await place.ledger.storage.head()
  assert.equal([report.end.position, report.end.chain], [head.position, head.chain])
  assert.equal([report.end.tokenUses, report.end.tables?.position], [1, head.position])
  assert.is(statSync(file).mode & 0o777, 0o600)

  const { storage, isAsBackedUp, different, digests } = await restored(file)
  assert.equal([isAsBackedUp, different], [true, []])
  assert.equal(digests, report.end.tables?.digests)
  assert.equal(await storage.tokenUses(), await place.ledger.storage.tokenUses())
  assert.equal(await storage.readLog(0, 100), await place.ledger.storage.readLog(0, 100))
})

test('ends where the log ended when it was begun, whatever is written meanwhile', async () => {
  const { storage } = place.ledger
  const { position } = await storage.head()
  let written = 0
  const busy: Storage = {
    ...storage,
    async readLog(after, limit) {
      written++
      await place.folder()
      return storage.readLog(after, Math.min(2, limit))
    }
  }
  const report = await backup(busy, place.path('hub.backup'))
  assert.ok(written > 2, 'somebody wrote in the middle')
  assert.is(report.end.position, position)
  assert.ok((await restored(place.path('hub.backup'))).isAsBackedUp)
})

test('is not replaced without force, and nothing half is left where one cannot be made', async () => {
  const file = place.path('hub.backup')
  await backup(place.ledger.storage, file)
  const before = readFileSync(file)
  assert.match(await refusal(backup(place.ledger.storage, file)), 'exists already. Name another file, or add --force.')
  const broken: Storage = {
    ...place.ledger.storage,
    async readLog(after, limit) {
      const [first, ...others] = await place.ledger.storage.readLog(after, limit)
      return first ? [first, ...others.map((event): StoredEvent => ({ ...event, actorId: 'somebody' }))] : []
    }
  }
  const plan = { file, force: true, keys: NO_KEYS, now: NOW }
  assert.match(await refusal(writeBackup(broken, plan)), /Position 2: The event does not continue the chain/)
  assert.equal(readFileSync(file), before)
  assert.equal(readdirSync(dirname(file)), ['hub.backup'])
  await place.folder()
  assert.is((await writeBackup(place.ledger.storage, plan)).events, 9)
})

test('one that was cut off, wherever that was, is refused', async () => {
  const file = place.path('hub.backup')
  await backup(place.ledger.storage, file)
  const whole = readFileSync(file)
  for (const length of [0, 5, 20, Math.floor(whole.length / 2), whole.length - 9, whole.length - 1]) {
    writeFileSync(file, whole.subarray(0, length))
    assert.match(await verdict(file), /is cut off|is not a backup/, `${length} bytes`)
  }
  writeFileSync(file, whole)
  const lines = linesIn(file)
  for (let count = 1; count < lines.length; count++) {
    writeFileSync(file, gzipSync(`${lines.slice(0, count).join('\n')}\n`))
    assert.match(await verdict(file), `is cut off behind line ${count}.`)
  }
})

test('one that was edited, reordered or lengthened is refused, with the place', async () => {
  const file = place.path('hub.backup')
  await backup(place.ledger.storage, file)
  const whole = readFileSync(file)
  const lines = linesIn(file)
  const changed = (change: (lines: string[]) => void) => {
    const copy = [...lines]
    change(copy)
    return copy
  }
  const edited = changed((copy) => copy.splice(3, 1, lines[3]?.replace('Payments', 'Presents') ?? ''))
  writeLines(file, edited)
  assert.match(await verdict(file), 'line 4: position 3: The payload is not the one that was sealed.')
  writeLines(
    file,
    changed((copy) => copy.splice(3, 2, lines[4] ?? '', lines[3] ?? ''))
  )
  assert.match(await verdict(file), 'line 4: position 4: The event is missing')
  writeLines(
    file,
    changed((copy) => copy.splice(5, 1))
  )
  assert.match(await verdict(file), 'line 6: position 6: The event is missing')
  writeLines(
    file,
    changed((copy) => copy.splice(8, 1))
  )
  assert.match(await verdict(file), 'the end tells of something else than the file holds')
  writeLines(file, [...lines, lines[2] ?? ''])
  assert.match(await verdict(file), 'there is something behind the end of the backup.')

  writeFileSync(
    file,
    gzipSync(
      `${changed((copy) => copy.splice(9, 1, lines[9]?.replace('2026-01-31', '2026-01-30') ?? '')).join('\n')}\n`
    )
  )
  assert.match(await verdict(file), 'line 12: the sum is another one: the file was changed.')
  writeFileSync(file, gzipSync(`${changed((copy) => copy.splice(3, 1, `${lines[3]}\r`)).join('\n')}\n`))
  assert.match(await verdict(file), 'line 12: the sum is another one: the file was changed.')
  writeFileSync(file, Buffer.concat([whole, whole]))
  assert.match(await verdict(file), 'line 13 continues a backup that ends at position 0,')
  writeFileSync(file, Buffer.concat([whole, Buffer.alloc(9)]))
  assert.match(await verdict(file), 'there is something behind the end of the backup.')
  writeFileSync(file, Buffer.concat([whole, Buffer.from('x')]))
  assert.match(await verdict(file), 'in line 13 or behind it')
  const flipped = Buffer.from(whole)
  flipped[whole.length >> 1] = ~(flipped[whole.length >> 1] ?? 0) & 0xff
  writeFileSync(file, flipped)
  assert.match(await verdict(file), /line \d+/)
})

test('one of an older release is restored, one of a newer one is refused, and so is what is no backup', async () => {
  const file = place.path('hub.backup')
  await backup(place.ledger.storage, file)
  const [header = '', ...others] = linesIn(file)
  writeLines(file, [JSON.stringify({ ...JSON.parse(header), schema: 1, release: '0.0.9' }), ...others])
  assert.equal((await restored(file)).different, [])
  const newer = JSON.stringify({ ...JSON.parse(header), schema: 99, release: '9.0.0' })
  writeLines(file, [newer, ...others])
  assert.match(await verdict(file), 'was written by a newer version of the hub, 9.0.0')
  writeLines(file, [header.replace('backup/2', 'backup/3'), ...others])
  assert.match(await verdict(file), 'was written by a newer version of the hub')
  writeLines(file, ['{"format":"something"}', ...others])
  assert.match(await verdict(file), 'is not a backup of a hub.')
  writeFileSync(file, 'hello')
  assert.match(await verdict(file), 'is not a backup of a hub.')
})

test('one of other projectors is restored, and the tables that they make are held against a replay', async () => {
  const file = place.path('hub.backup')
  await backup(place.ledger.storage, file)
  const [header = '', ...others] = linesIn(file)
  const { projections, ...rest } = JSON.parse(header)
  writeLines(file, [JSON.stringify({ ...rest, projections: { ...projections, folders: 0 } }), ...others])
  const { isAsBackedUp, madeAnew, different } = await restored(file)
  assert.equal([isAsBackedUp, madeAnew, different], [true, ['folders'], []])
})

test('read tables that are not those that were backed up are named', async () => {
  const file = place.path('hub.backup')
  await backup(place.ledger.storage, file)
  const lines = linesIn(file)
  const { end } = JSON.parse(lines.at(-2) ?? '')
  for (const table of end.tables.digests) if (table.table === 'folders') table.sha256 = '0'.repeat(64)
  writeLines(file, [...lines.slice(0, -2), JSON.stringify({ end }), lines.at(-1) ?? ''])
  assert.equal((await restored(file)).different, ['folders'])
})

test.run()
