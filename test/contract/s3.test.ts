import { type OpenBlobs, openS3Blobs } from '../../src/storage/s3.js'
import { openMemory } from '../support/memoryStorage.js'
import { type S3Server, startS3 } from '../support/s3Server.js'
import { suite } from '../support/suite.js'
import { blobContract } from './blobs.js'

const test = suite('blobs: s3')
let server: S3Server
let logs = 0
const opened: OpenBlobs[] = []

test.before(async () => {
  server = await startS3()
})
test.after.each(() => Promise.all(opened.splice(0).map((blobs) => blobs.close())))
test.after(() => server.close())

/** Each test has a prefix of its own, beside whatever else is in the bucket. */
const again = async () => {
  const blobs = openS3Blobs({ ...server.config, prefix: `hubs/log${logs}` })
  opened.push(blobs)
  return { ...openMemory(), blobs }
}
const fresh = () => {
  logs++
  return again()
}

blobContract({ test, fresh, again, empty: fresh })
test.run()
