import * as assert from 'uvu/assert'
import { suite } from '../support/suite.js'
import { complaints, parse } from './parsing.js'

const test = suite('config of the storage of images')

const bucket = { bucket: 'hub-images', region: 'eu-central-1', accessKeyId: 'AKIA1', secretAccessKey: 'secret' }
const storage = (section: unknown, env = {}) =>
  parse({ storage: `storage: ${JSON.stringify(section)}` }, env).config.storage
const refusals = (section: unknown) => complaints(() => storage(section))
const s3 = (more: object = {}) => storage({ driver: 's3', ...bucket, ...more })

test('without the section, and where it says nothing, images are in the database', () => {
  assert.equal(parse().config.storage, { driver: 'db' })
  for (const section of [null, {}, { driver: null }, { driver: 'db' }, { driver: 'db', prefix: 'faces' }])
    assert.equal(storage(section), { driver: 'db' })
})

test('a bucket needs its name, its region and a key; the rest has defaults', () =>
  assert.equal(s3(), { driver: 's3', place: { ...bucket, prefix: 'avatars', timeoutSeconds: 3 } }))

test('what is missing is told, each by its name', () => {
  const missing = ['bucket', 'region', 'accessKeyId', 'secretAccessKey'] as const
  assert.equal(
    refusals({ driver: 's3' }),
    missing.map((key) => `storage.${key}: storage.${key} is required when storage.driver is "s3".`)
  )
  for (const key of missing)
    assert.equal(refusals({ driver: 's3', ...bucket, [key]: ' ' }), [
      `storage.${key}: storage.${key} is required when storage.driver is "s3".`
    ])
  assert.is(refusals({ driver: 's3', timeoutSeconds: 0 }).length, 5)
})

test('with the database a bucket may be named that images are still in, and then wholly', () => {
  assert.is(storage({ driver: 'db', ...bucket }).place?.bucket, 'hub-images')
  assert.equal(refusals({ bucket: 'hub-images', region: 'r' }), [
    'storage.accessKeyId: storage.accessKeyId is required where storage.bucket is given.',
    'storage.secretAccessKey: storage.secretAccessKey is required where storage.bucket is given.'
  ])
})

test('another driver is refused, and that of Cloud Storage with what to write instead', () => {
  assert.equal(refusals({ driver: 'ftp' }), ['storage.driver: Unsupported storage.driver "ftp". Use "db" or "s3".'])
  assert.equal(refusals({ driver: 'gcs', bucket: 'images' }), [
    'storage.driver: Unsupported storage.driver "gcs". Cloud Storage is reached as "s3": endpoint https://storage.googleapis.com, region auto, and an HMAC key.'
  ])
})

test('an endpoint is a web address, to which the bucket is appended', () => {
  assert.is(s3({ endpoint: 'http://minio:9000//' }).place?.endpoint, 'http://minio:9000')
  for (const endpoint of ['minio:9000', 'https://k:s@minio', 'https://minio?x', 'ftp://minio'])
    assert.is(refusals({ driver: 's3', ...bucket, endpoint }).length, 1, endpoint)
})

test('a prefix is a path of plain names; slashes around it are cut', () => {
  assert.is(s3({ prefix: '/teams/one/' }).place?.prefix, 'teams/one')
  assert.is(s3({ prefix: ' ' }).place?.prefix, 'avatars')
  for (const prefix of ['a b', 'a//b', '../a', '/', 'a/./b', 'ä', 'a'.repeat(201), 'a?b'])
    assert.is(refusals({ driver: 's3', ...bucket, prefix }).length, 1, prefix)
})

test('names and times have bounds', () => {
  for (const wrong of [
    { bucket: 'a/b' },
    { bucket: '-a-' },
    { region: 'EU 1' },
    { timeoutSeconds: 31 },
    { bukket: 'x' }
  ])
    assert.is(refusals({ driver: 's3', ...bucket, ...wrong }).length, 1, JSON.stringify(wrong))
})

test('the environment gives every key', () => {
  const { config } = parse(
    {},
    {
      HUB_STORAGE_DRIVER: 's3',
      HUB_STORAGE_BUCKET: 'hub-images',
      HUB_STORAGE_REGION: 'auto',
      HUB_STORAGE_ENDPOINT: 'https://storage.googleapis.com',
      HUB_STORAGE_ACCESS_KEY_ID: 'GOOG1',
      HUB_STORAGE_SECRET_ACCESS_KEY: 's',
      HUB_STORAGE_TIMEOUT_SECONDS: '5'
    }
  )
  assert.equal(config.storage.place, {
    ...{ bucket: 'hub-images', region: 'auto', endpoint: 'https://storage.googleapis.com', prefix: 'avatars' },
    ...{ accessKeyId: 'GOOG1', secretAccessKey: 's', timeoutSeconds: 5 }
  })
})

test.run()
