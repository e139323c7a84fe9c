import { createHash, randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import type { ImageRef } from '../../commands/people/avatar/avatar.js'
import { HUB_ID } from '../../commands/tenants/hub/events.js'
import { migrate } from '../../migrations/migrate.js'
import { systemOrigin } from '../../src/ledger/ledger.js'
import { NO_KEYS } from '../../src/log/chain.js'
import { withImage } from '../../src/records/images/shown.js'
import type { Storage } from '../../src/storage/storage.js'
import { exportLog } from '../../src/trust/backup/export.js'
import { readBackup, restoreBackup } from '../../src/trust/backup/restore.js'
import { nameIn } from '../../src/trust/backup/sets.js'
import { startBehind, verifyBackup } from '../../src/trust/backup/verify.js'
import { writeBackup } from '../../src/trust/backup/write.js'
import { carryOut, planAccount } from '../../src/trust/erasure/erase.js'
import { settleUser } from '../race/world.js'
import { eventsOf } from '../support/append.js'
import { openMemory } from '../support/memoryStorage.js'
import { suite } from '../support/suite.js'
import { backup, linesIn, NOW, newPlace, type Place, refusal, restored, writeLines } from './place.js'

const test = suite('images and backups')
let place: Place
let person: string
test.before.each(async () => {
  place = await newPlace()
  const { tokenId } = await settleUser(place.ledger, 'Eve')
  const token = (await eventsOf(place.ledger.storage, `token-${tokenId}`))[0]
  person = JSON.parse(token?.payload.text ?? '{}').userId
})

function anImage(): { readonly ref: ImageRef; readonly bytes: Buffer } {
  const bytes = randomBytes(100)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return { ref: { sha256, mediaType: 'image/png', bytes: bytes.length }, bytes }
}

/** Shows a new image for the account, or for the hub. */
async function show(what: 'account' | 'hub' = 'account') {
  const image = anImage()
  const { ledger } = place
  const changes = { image: image.ref }
  await withImage(ledger, image, () =>
    what === 'hub'
      ? ledger.run({ type: 'ChangeHubAvatar', id: HUB_ID, changes }, systemOrigin)
      : ledger.run({ type: 'UpdateUser', id: person, changes: {}, avatar: changes }, systemOrigin)
  )
  return image
}

const keysIn = ({ blobs }: Storage) => blobs.list('', 100)

test('a backup has the images that are shown, and brings them back', async () => {
  const before = await show()
  const [ours, hubs] = [await show(), await show('hub')]
  const report = await backup(place.ledger.storage, place.path('hub.backup'))
  assert.is(report.end.images, 2)
  assert.not.match(linesIn(place.path('hub.backup')).join('\n'), before.bytes.toString('base64'))
  const { storage, images, isAsBackedUp } = await restored(place.path('hub.backup'))
  assert.equal([images, isAsBackedUp], [2, true])
  assert.equal(await storage.blobs.get(ours.ref.sha256), ours.bytes)
  assert.equal(await storage.blobs.get(hubs.ref.sha256), hubs.bytes)
})

test('an increment has what its events name: of a set those come back that somebody shows at its end', async () => {
  const directory = place.path('set')
  await mkdir(directory)
  const { storage } = place.ledger
  const first = await show()
  await show('hub')
  const full = await backup(storage, join(directory, nameIn(NOW, 0)))
  const second = await show()
  const plan = { file: join(directory, nameIn(NOW, 1)), start: startBehind(full), keys: NO_KEYS, now: NOW }
  assert.is((await writeBackup(storage, plan)).end.images, 1)
  const all = await restored(directory)
  assert.is(all.images, 2)
  assert.equal(await all.storage.blobs.get(second.ref.sha256), second.bytes)
  assert.not.ok((await keysIn(all.storage)).includes(first.ref.sha256))
  const earlier = await restored(directory, { position: full.end.position })
  assert.equal(await earlier.storage.blobs.get(first.ref.sha256), first.bytes)
  assert.not.ok((await keysIn(earlier.storage)).includes(second.ref.sha256))
})

test('where a log is restored in parts, an image goes that nobody shows at the end of it', async () => {
  const file = place.path('log.backup')
  const target = openMemory()
  await migrate(target)
  const moved = async () => {
    await exportLog(place.ledger, file, { keys: NO_KEYS, now: NOW })
    const { images } = await restoreBackup(target, await readBackup([file], NO_KEYS, undefined), NO_KEYS, NOW, null)
    return images
  }
  const first = await show()
  assert.is(await moved(), 1)
  assert.equal(await keysIn(target), [first.ref.sha256])
  const second = await show()
  assert.is(await moved(), 1)
  assert.equal(await keysIn(target), [second.ref.sha256])
})

test('the image of an account that is erased later does not come back', async () => {
  const directory = place.path('set')
  await mkdir(directory)
  const { ledger } = place
  await show()
  const full = await backup(ledger.storage, join(directory, nameIn(NOW, 0)))
  await ledger.run({ type: 'DeleteUser', id: person }, systemOrigin)
  await carryOut(ledger, await planAccount(ledger, person))
  await writeBackup(ledger.storage, {
    file: join(directory, nameIn(NOW, 1)),
    start: startBehind(full),
    keys: NO_KEYS,
    now: NOW
  })
  assert.equal(await keysIn((await restored(directory)).storage), [])
})

test('an image that was changed, or is missing, is told of', async () => {
  const file = place.path('hub.backup')
  await show()
  await backup(place.ledger.storage, file)
  const lines = linesIn(file)
  const at = lines.findIndex((line) => line.startsWith('{"image"'))
  const other = lines[at]?.replace(/"base64":"..../, '"base64":"AAAA') ?? ''
  const verdict = () => refusal(verifyBackup([file], { keys: NO_KEYS }))
  writeLines(file, lines.toSpliced(at, 1, other))
  assert.match(await verdict(), `line ${at + 1}: the image is not the one that it is named for.`)
  writeLines(file, lines.toSpliced(at, 1))
  assert.match(await verdict(), 'the end tells of something else than the file holds')
})

test.run()
