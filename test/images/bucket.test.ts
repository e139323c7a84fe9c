import { createHash, randomBytes } from 'node:crypto'
import * as assert from 'uvu/assert'
import { LIMITS } from '../../src/limits.js'
import { type OpenBlobs, objectPage, openS3Blobs } from '../../src/storage/s3.js'
import { type BlobsTrouble, BlobsUnavailable } from '../../src/storage/storage.js'
import { rejection } from '../log/faults.js'
import { type S3Server, startS3 } from '../support/s3Server.js'
import { suite } from '../support/suite.js'

const test = suite('a bucket')
const KEY = 'a'.repeat(64)
/** What nothing takes unless it waits for as long as the server of the tests is waited for. */
const LATE_MS = 15_000
let server: S3Server
let blobs: OpenBlobs

test.before.each(async () => {
  server = await startS3()
  blobs = openS3Blobs(server.config)
})
test.after.each(async () => {
  await blobs.close()
  await server.close()
})

/** What the work has thrown, and after how many milliseconds. */
async function trouble(work: Promise<unknown>): Promise<{ readonly why: BlobsTrouble; readonly took_ms: number }> {
  const began = performance.now()
  const error = await rejection(work)
  if (!(error instanceof BlobsUnavailable)) throw error
  return { why: error.why, took_ms: performance.now() - began }
}

test('an object is named by the prefix and the sha256, and asked for with a signature that another implementation finds right', async () => {
  await blobs.put(KEY, Buffer.from('one'))
  assert.equal(await blobs.get(KEY), Buffer.from('one'))
  assert.equal(await blobs.list('', 5), [KEY])
  await blobs.delete(KEY)
  assert.equal(server.asked, [
    `PUT /hub-test/avatars/${KEY}`,
    `GET /hub-test/avatars/${KEY}`,
    'GET /hub-test/',
    `DELETE /hub-test/avatars/${KEY}`
  ])
  assert.equal(server.refused, [])
})

test('who has another secret, another key, or the wrong region is refused', async () => {
  for (const other of [{ secretAccessKey: 'x' }, { accessKeyId: 'x' }, { region: 'eu-other-1' }]) {
    const stranger = openS3Blobs({ ...server.config, ...other })
    assert.is((await trouble(stranger.get(KEY))).why, 'refused')
    assert.is((await trouble(stranger.put(KEY, Buffer.from('x')))).why, 'refused')
    await stranger.close()
  }
  assert.is(server.objects.size, 0)
  assert.equal([...new Set(server.refused)], ['SignatureDoesNotMatch', 'InvalidAccessKeyId'])
})

test('a bucket that is not there is told from an object that is not', async () => {
  const lost = openS3Blobs({ ...server.config, bucket: 'another' })
  assert.is(await blobs.get(KEY), null)
  for (const work of [() => lost.get(KEY), () => lost.list('', 1), () => lost.put(KEY, Buffer.from('x'))])
    assert.is((await trouble(work())).why, 'noBucket')
  await lost.close()
})

test('a redirect is not followed, and says that the bucket is elsewhere', async () => {
  server.behave(301)
  assert.is((await trouble(blobs.get(KEY))).why, 'elsewhere')
})

test('a server that has its hands full is asked once more', async () => {
  for (const status of [500, 503, 429]) {
    server.behave(status, 1)
    await blobs.put(KEY, Buffer.from('one'))
  }
  server.behave(503)
  assert.is((await trouble(blobs.get(KEY))).why, 'silent')
  assert.is(server.refused.length, 5)
})

test('silence ends after the time that is configured; from then on everybody is refused at once, until one finds an answer', async () => {
  const quick = openS3Blobs({ ...server.config, timeoutSeconds: 1 })
  for (let outage = 1; outage <= 2; outage++) {
    server.behave('silent')
    const first = await trouble(quick.get(KEY))
    assert.is(first.why, 'silent')
    assert.ok(first.took_ms > 900 && first.took_ms < LATE_MS, `${first.took_ms}`)
    server.behave('well')
    const before = server.asked.length
    for (const work of [quick.get(KEY), quick.list('', 1), quick.delete(KEY)])
      assert.is((await trouble(work)).why, 'silent')
    assert.is(server.asked.length, before)
    while (await quick.get(KEY).catch(() => 'refused')) await new Promise((resolve) => setTimeout(resolve, 50))
    await quick.put(KEY, Buffer.from('one'))
    await quick.delete(KEY)
  }
  await quick.close()
})

test('nobody there is told at once', async () => {
  await server.close()
  const { why, took_ms } = await trouble(blobs.get(KEY))
  assert.is(why, 'silent')
  assert.ok(took_ms < LATE_MS, `${took_ms}`)
})

test('what else is in the bucket is neither listed nor in the way', async () => {
  const keys = ['0', '5', 'f'].map((digit) => digit.repeat(64))
  for (const key of keys) await blobs.put(key, Buffer.from('x'))
  for (let i = 0; i < 30; i++) server.objects.set(`avatars/0a&<${i}`, Buffer.from('x'))
  for (const name of [`avatars/users/${KEY}`, `other/${KEY}`, `avatars/${KEY.toUpperCase()}`, `avatars/${KEY}0`])
    server.objects.set(name, Buffer.from('x'))
  assert.equal(await blobs.list('', 2), keys.slice(0, 2))
  assert.equal(await blobs.list(keys[0] ?? '', 1000), keys.slice(1))
  assert.equal(await blobs.list('f'.repeat(64), 1000), [])
})

test('an object that is larger than any image is not read', async () => {
  server.objects.set(`avatars/${KEY}`, randomBytes(LIMITS.blob.max + 1))
  assert.is(await blobs.get(KEY), null)
  const most = randomBytes(LIMITS.blob.max)
  server.objects.set(`avatars/${KEY}`, most)
  assert.equal(await blobs.get(KEY), most)
})

test('many at once are answered, each with its own', async () => {
  const images = Array.from({ length: 60 }, () => randomBytes(5000))
  const keyOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
  await Promise.all(images.map((bytes) => blobs.put(keyOf(bytes), bytes)))
  const read = await Promise.all(images.map((bytes) => blobs.get(keyOf(bytes))))
  assert.equal(read, images)
})

test('of a listing names and the way on are read, however they are written, and of anything else nothing', () => {
  const page = (inside: string) => objectPage(`<?xml version="1.0"?>\n<ListBucketResult>${inside}</ListBucketResult>`)
  assert.equal(page(''), { names: [], next: null })
  assert.equal(
    page('<Contents><Key>a&amp;b&#x41;&#66;&bad;&#9999999;</Key></Contents><IsTruncated>false</IsTruncated>'),
    {
      names: ['a&bAB&bad;&#9999999;'],
      next: null
    }
  )
  const token = '<NextContinuationToken>a&lt;=</NextContinuationToken>'
  assert.is(page(`<IsTruncated> true </IsTruncated>${token}`).next, 'a<=')
  assert.is(page(`<IsTruncated>false</IsTruncated>${token}`).next, null)
  assert.is(page('<IsTruncated>true</IsTruncated>').next, null)
  assert.equal(objectPage('{"not": "xml"}'), { names: [], next: null })
  assert.equal(objectPage('<Key>'.repeat(100_000)), { names: [], next: null })
})

test.run()
