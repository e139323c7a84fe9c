import { createHash, randomBytes } from 'node:crypto'
import * as assert from 'uvu/assert'
import { ImageNotMoved, moveImages } from '../../src/records/images/move.js'
import { releaseImage } from '../../src/records/images/shown.js'
import { blobsOfTwo } from '../../src/storage/blobs.js'
import { type OpenBlobs, openS3Blobs } from '../../src/storage/s3.js'
import { type BlobStore, BlobsUnavailable } from '../../src/storage/storage.js'
import { rejection } from '../log/faults.js'
import { openMemory } from '../support/memoryStorage.js'
import { type S3Server, startS3 } from '../support/s3Server.js'
import { suite } from '../support/suite.js'

const test = suite('images in two places')
let server: S3Server
let bucket: OpenBlobs
let database: BlobStore
let both: BlobStore

test.before.each(async () => {
  server = await startS3()
  bucket = openS3Blobs(server.config)
  database = openMemory().blobs
  both = blobsOfTwo(bucket, database)
})
test.after.each(async () => {
  await bucket.close()
  await server.close()
})

function anImage(): readonly [key: string, bytes: Buffer] {
  const bytes = randomBytes(100)
  return [createHash('sha256').update(bytes).digest('hex'), bytes]
}

const nobody = async () => {}
const move = (dryRun = false, release: (key: string) => Promise<void> = nobody) =>
  moveImages({ from: database, to: bucket, release, dryRun })

test('what is put goes home, and what is still in the other place is read from there', async () => {
  const [key, bytes] = anImage()
  const [old, before] = anImage()
  await both.put(key, bytes)
  await database.put(old, before)
  assert.is(await database.get(key), null)
  assert.equal([await both.get(key), await both.get(old)], [bytes, before])
  assert.is(await both.get('f'.repeat(64)), null)
})

test('both places are listed together, a page at a time, and deleted from together', async () => {
  const keys: string[] = []
  for (let i = 0; i < 9; i++) {
    const [key, bytes] = anImage()
    keys.push(key)
    if (i % 3 !== 1) await bucket.put(key, bytes)
    if (i % 3 !== 0) await database.put(key, bytes)
  }
  keys.sort()
  assert.equal(await both.list('', 100), keys)
  assert.equal(await both.list(keys[3] ?? '', 2), keys.slice(4, 6))
  for (const key of keys) await both.delete(key)
  assert.equal([await bucket.list('', 9), await database.list('', 9)], [[], []])
})

test('a deletion that one place does not carry out is told, and done in the other', async () => {
  const [key, bytes] = anImage()
  for (const place of [bucket, database]) await place.put(key, bytes)
  server.behave(403)
  assert.instance(await rejection(both.delete(key)), BlobsUnavailable)
  assert.is(await database.get(key), null)
})

test('an object that somebody has changed is not shown; the one in the database is', async () => {
  const [key, bytes] = anImage()
  await both.put(key, bytes)
  server.objects.set(`avatars/${key}`, Buffer.from('something else'))
  assert.is(await both.get(key), null)
  await database.put(key, bytes)
  assert.equal(await both.get(key), bytes)
})

test('an object that somebody has changed goes too when nobody shows it', async () => {
  const [key] = anImage()
  server.objects.set(`avatars/${key}`, Buffer.from('something else'))
  const readModel = { get: async () => null, list: async () => [], current: async () => {} }
  await releaseImage({ storage: { blobs: both }, readModel }, key)
  assert.is(server.objects.size, 0)
})

test('while the bucket does not answer, what is in the database is read all the same', async () => {
  const [key, bytes] = anImage()
  await database.put(key, bytes)
  server.behave(403)
  assert.equal(await both.get(key), bytes)
  assert.instance(await rejection(both.get('f'.repeat(64))), BlobsUnavailable)
  assert.instance(await rejection(both.put(key, bytes)), BlobsUnavailable)
})

test('a move takes everything along, and a second one finds nothing to do', async () => {
  const images = Array.from({ length: 12 }, anImage)
  for (const [key, bytes] of images) await database.put(key, bytes)
  const found = { images: 12, bytes: 1200, damaged: [] }
  assert.equal(await move(true), found)
  assert.equal([server.objects.size, (await database.list('', 100)).length], [0, 12])
  const released: string[] = []
  assert.equal(await move(false, async (key) => void released.push(key)), found)
  assert.equal([server.objects.size, await database.list('', 100)], [12, []])
  assert.equal(released, images.map(([key]) => key).toSorted())
  for (const [key, bytes] of images) assert.equal(await both.get(key), bytes)
  assert.equal(await move(), { images: 0, bytes: 0, damaged: [] })
})

test('a move that breaks off has lost nothing, and the next one goes on', async () => {
  const images = Array.from({ length: 6 }, anImage)
  for (const [key, bytes] of images) await database.put(key, bytes)
  let moved = 0
  const breaking = move(false, async () => {
    moved++
    if (moved === 3) server.behave(403)
  })
  assert.instance(await rejection(breaking), BlobsUnavailable)
  server.behave('well')
  for (const [key, bytes] of images) assert.equal(await both.get(key), bytes)
  assert.is((await move()).images, 3)
  assert.is(server.objects.size, 6)
})

test('an image that cannot be read back stays where it was', async () => {
  const [key, bytes] = anImage()
  await database.put(key, bytes)
  const forgetful = { ...bucket, put: async () => {} }
  const moving = moveImages({ from: database, to: forgetful, release: nobody, dryRun: false })
  assert.instance(await rejection(moving), ImageNotMoved)
  assert.equal(await database.get(key), bytes)
})

test('what is not what its name says is told, and stays', async () => {
  const key = 'b'.repeat(64)
  await database.put(key, Buffer.from('x'))
  assert.equal(await move(), { images: 0, bytes: 0, damaged: [key] })
  assert.equal(await database.list('', 9), [key])
  assert.is(server.objects.size, 0)
})

test('back into the database it is the same', async () => {
  const [key, bytes] = anImage()
  await bucket.put(key, bytes)
  await moveImages({ from: bucket, to: database, release: nobody, dryRun: false })
  assert.equal(await database.get(key), bytes)
  assert.is(server.objects.size, 0)
})

test.run()
