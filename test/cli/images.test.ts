import { randomBytes } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { systemOrigin } from '../../src/ledger/ledger.js'
import { sentImage } from '../../src/records/images/sent.js'
import { withImage } from '../../src/records/images/shown.js'
import { dataUrl, pngOf } from '../images/made.js'
import { type S3Server, startS3 } from '../support/s3Server.js'
import { suite } from '../support/suite.js'
import { type Home, newHome } from './support.js'

const test = suite('images on the command line')
let home: Home
let server: S3Server
let sizes = 1

test.before.each(async () => {
  home = await newHome()
  server = await startS3()
  configure('db')
  await home.here('migrate')
})
test.after.each(async () => {
  await server.close()
})

/** What the hub is configured with; without a driver no bucket is named. */
function configure(driver: 'db' | 's3' | null, db?: string): void {
  home.configure(db === undefined ? {} : { db })
  if (driver) appendFileSync(file(), `storage: ${JSON.stringify({ driver, ...server.config })}\n`)
}
const file = () => join(home.path, 'server.yaml')

/** So many accounts that show an image each, and the images. */
const people = (count: number) =>
  home.withLedger(async (ledger) => {
    const images: Buffer[] = []
    for (let i = 0; i < count; i++) {
      const name = `p${randomBytes(6).toString('hex')}`
      const { user } = Object(await home.json('user', 'create', '--name', name, '--role', 'user'))
      await ledger.readModel.current()
      const image = sentImage(dataUrl('image/png', pngOf(++sizes, 5)))
      const avatar = { image: image.ref }
      const command = { type: 'UpdateUser', id: String(user.id), changes: {}, avatar } as const
      await withImage(ledger, image, () => ledger.run(command, systemOrigin))
      images.push(image.bytes)
    }
    return images
  })

const inDatabase = async () => {
  home.configure()
  return home.withLedger(async ({ storage }) => (await storage.blobs.list('', 100)).length)
}

test('images move into the bucket, after a look; a second time there is nothing to move; and back', async () => {
  const images = await people(3)
  const total = images.reduce((sum, { length }) => sum + length, 0)
  configure('s3')
  const look = await home.here('images', 'move', '--dry-run')
  assert.equal(look, {
    code: 0,
    stdout: `Would move 3 images (${total} bytes) from the database to the bucket hub-test.\n`,
    stderr: ''
  })
  assert.is(server.objects.size, 0)
  const { stdout } = await home.here('migrate-avatars')
  assert.is(stdout, `Moved 3 images (${total} bytes) from the database to the bucket hub-test.\n`)
  assert.is(server.objects.size, 3)
  assert.is(
    (await home.here('images', 'move')).stdout,
    'There is nothing to move from the database to the bucket hub-test.\n'
  )
  assert.is(await inDatabase(), 0)
  configure('db')
  assert.equal(await home.json('images', 'move'), {
    ...{ images: 3, bytes: total, damaged: [], from: 'the bucket hub-test', to: 'the database', dryRun: false }
  })
  assert.is(server.objects.size, 0)
  assert.is(await inDatabase(), 3)
})

test('what nobody shows any more is not moved along for good', async () => {
  await people(1)
  await home.withLedger(({ storage }) =>
    storage.blobs.put('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855', Buffer.alloc(0))
  )
  configure('s3')
  await home.here('images', 'move')
  assert.is(server.objects.size, 1)
})

test('without a bucket there is nothing to move, and one that does not answer is told', async () => {
  configure(null)
  const none = await home.here('images', 'move')
  assert.is(none.code, 1)
  assert.match(none.stderr, /^The storage section names no bucket: images are in the database, and stay there\.\n/)
  await people(1)
  configure('s3')
  await server.close()
  const down = await home.here('images', 'move')
  assert.is(down.code, 1)
  assert.match(down.stderr, /^The object storage does not answer: .*ECONNREFUSED/)
  assert.is(await inDatabase(), 1)
})

test('a backup has the images of the bucket, and a restore puts them where the configuration says', async () => {
  configure('s3')
  const images = await people(2)
  assert.is(server.objects.size, 2)
  assert.is((await home.here('backup', 'create', join(home.path, 'b'))).code, 0)
  const held = [...server.objects.entries()]
  server.objects.clear()
  configure('s3', '{driver: sqlite, path: data/other.sqlite}')
  const restored = await home.here('backup', 'restore', join(home.path, 'b'))
  assert.equal([restored.code, restored.stderr], [0, ''])
  assert.match(restored.stdout, 'Restored 2 images of avatars.')
  assert.equal([...server.objects.entries()].toSorted(), held.toSorted())
  configure('db', '{driver: sqlite, path: data/third.sqlite}')
  await home.here('backup', 'restore', join(home.path, 'b'))
  home.configure({ db: '{driver: sqlite, path: data/third.sqlite}' })
  assert.is(await home.withLedger(async ({ storage }) => (await storage.blobs.list('', 9)).length), images.length)
})

test('a backup fails that cannot have the images, and leaves no file', async () => {
  configure('s3')
  await people(1)
  server.behave(403)
  const { code, stderr } = await home.here('backup', 'create', join(home.path, 'b'))
  assert.is(code, 1)
  assert.match(stderr, 'The object storage refuses what it is asked for: status 403, Ordered')
  server.behave('well')
  assert.is((await home.here('backup', 'create', join(home.path, 'b'))).code, 0)
})

test.run()
