import { readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import * as assert from 'uvu/assert'
import { NO_KEYS } from '../../src/log/chain.js'
import { exportLog, exportTo } from '../../src/trust/backup/export.js'
import { verifyBackup } from '../../src/trust/backup/verify.js'
import { suite } from '../support/suite.js'
import { backup, linesIn, NOW, newPlace, type Place, refusal, restored } from './place.js'

const test = suite('an exported log')
const manner = { keys: NO_KEYS, now: NOW }
let place: Place
let file: string
test.before.each(async () => {
  place = await newPlace()
  file = place.path('log.backup')
  await place.folder(5)
})

const exported = () => exportLog(place.ledger, file, manner)
const verified = () => verifyBackup([file], { keys: NO_KEYS })
const head = () => place.ledger.storage.head()

test('is a backup, to which each later export adds what came since, as one file', async () => {
  assert.is((await exported()).events, (await head()).position)
  const lines = linesIn(file)
  await place.folder(2)
  const added = await exported()
  assert.equal([added.end.events, added.end.position], [3, (await head()).position])
  assert.equal(linesIn(file).slice(0, lines.length), lines, 'what it held stays')
  const { events, end, uses } = await verified()
  assert.equal([events, end.chain, uses.length], [(await head()).position, (await head()).chain, 1])
  assert.equal(readdirSync(place.path('')), ['log.backup'])
  assert.is(statSync(file).mode & 0o777, 0o600)

  const { storage, position, tokenUses } = await restored(file)
  assert.equal([position, tokenUses], [end.position, 1])
  assert.equal(await storage.readLog(0, 100), await place.ledger.storage.readLog(0, 100))
})

test('to a reader that goes away is told to be no backup', async () => {
  const gone = new PassThrough()
  gone.once('data', () => gone.destroy(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })))
  const told = await refusal(exportTo(place.ledger, gone, manner))
  assert.is(told, 'The export was stopped: what was written of it is no backup.')
})

test('goes on from any backup of the same log, and not from one of another', async () => {
  await backup(place.ledger.storage, file)
  const { position } = await head()
  assert.is((await exported()).end.events, 1)
  assert.is((await verified()).end.position, position + 1)

  const other = await newPlace()
  const { position: end } = await other.ledger.storage.head()
  const before = readFileSync(file)
  const verdict = await refusal(exportLog(other.ledger, file, manner))
  assert.match(verdict, 'log.backup holds another log. Name another file.')
  assert.equal(readFileSync(file), before)
  assert.is((await other.ledger.storage.head()).position, end, 'nothing was recorded')
})

test('is refused with the place where it was cut off, or a part of it is missing', async () => {
  await exported()
  const first = readFileSync(file)
  await place.folder(1)
  await exported()
  const second = readFileSync(file).subarray(first.length)
  await place.folder(1)
  await exported()
  const whole = readFileSync(file)

  truncateSync(file, whole.length - 9)
  assert.match(await refusal(exported()), /log\.backup is cut off, in line \d+ or behind it\./)
  writeFileSync(file, Buffer.concat([first, whole.subarray(first.length + second.length)]))
  assert.match(await refusal(verified()), /line \d+ continues a backup that ends at position \d+, chain/)
  writeFileSync(file, second)
  assert.match(await refusal(verified()), 'log.backup is an increment: it continues a backup that ends at')
  writeFileSync(file, Buffer.concat([first, second]))
  assert.is((await exported()).end.position, (await head()).position, 'what is whole is continued')
})

test('goes to a stream as it goes to a file, and the stream stays open', async () => {
  const output = new PassThrough()
  const sent = buffer(output)
  await exportTo(place.ledger, output, manner)
  assert.not.ok(output.writableEnded)
  output.end()
  writeFileSync(file, await sent)
  assert.is((await verified()).end.position, (await head()).position)
  assert.match(gunzipSync(await sent).toString(), '"LogExported"', 'the log tells of it')
})

test.run()
