import { randomUUID } from 'node:crypto'
import type { BucketConfig } from '../../src/config/types.js'
import { type OpenBlobs, openS3Blobs } from '../../src/storage/s3.js'
import { openMemory } from '../support/memoryStorage.js'
import { type S3Server, startS3 } from '../support/s3Server.js'
import { suite } from '../support/suite.js'
import { blobContract } from './blobs.js'

/** A bucket to run on in place of the tests' own, as `http://KEY:SECRET@HOST:PORT/BUCKET?REGION`. */
const { HUB_TEST_S3_URL: elsewhere = '' } = process.env
const test = suite('blobs: s3')
let server: S3Server | undefined
let config: BucketConfig
let prefix = ''
const opened: OpenBlobs[] = []

test.before(async () => {
  if (elsewhere === '') server = await startS3()
  config = server?.config ?? bucketAt(new URL(elsewhere))
})
test.after.each(async () => {
  await Promise.all(opened.splice(0).map((blobs) => blobs.close()))
})
test.after(() => server?.close())

function bucketAt({ origin, pathname, username, password, search }: URL): BucketConfig {
  const [accessKeyId, secretAccessKey] = [decodeURIComponent(username), decodeURIComponent(password)]
  const place = { endpoint: origin, bucket: pathname.slice(1), region: search.slice(1) }
  return { ...place, accessKeyId, secretAccessKey, prefix: 'avatars', timeoutSeconds: 10 }
}

/** Each test has a prefix of its own, beside whatever else is in the bucket. */
const again = async () => {
  const blobs = openS3Blobs({ ...config, prefix })
  opened.push(blobs)
  return { ...openMemory(), blobs }
}
const fresh = () => {
  prefix = `hubs/${randomUUID()}`
  return again()
}

blobContract({ test, fresh, again })
test.run()
