import { randomBytes, randomUUID } from 'node:crypto'
import { appendFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { noAccess } from '../../commands/people/user/events.js'
import { listTenants } from '../../queries/tenants.js'
import { openReadyLedger } from '../../src/app/hub.js'
import { loadConfig } from '../../src/config/load.js'
import { type Ledger, systemOrigin } from '../../src/ledger/ledger.js'
import { issueToken } from '../../src/ledger/secrets.js'
import { sentImage } from '../../src/records/images/sent.js'
import { withImage } from '../../src/records/images/shown.js'
import { configOfTenant } from '../../src/tenants/config.js'
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

/** So many accounts that show an image each, in this log, and the images. */
async function peopleIn(ledger: Ledger, count: number): Promise<readonly Buffer[]> {
  const images: Buffer[] = []
  for (let i = 0; i < count; i++) {
    const [id, name] = [randomUUID(), `p${randomBytes(6).toString('hex')}`]
    const account = { name, role: 'user', ...noAccess } as const
    const { token } = issueToken(loadConfig(file(), {}).config.tokens, ledger.now())
    await ledger.run({ type: 'CreateUser', id, account, token }, systemOrigin)
    const image = sentImage(dataUrl('image/png', pngOf(++sizes, 5)))
    const avatar = { image: image.ref }
    const command = { type: 'UpdateUser', id, changes: {}, avatar } as const
    await withImage(ledger, image, () => ledger.run(command, systemOrigin))
    images.push(image.bytes)
  }
  return images
}
const people = (count: number) => home.withLedger((ledger) => peopleIn(ledger, count))

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
    ...{ images: 3, bytes: total, damaged: [], from: 'the bucket hub-test', to: 'the database', dryRun: false },
    tenants: []
  })
  assert.is(server.objects.size, 0)
  assert.is(await inDatabase(), 3)
})

test('those of tenants move with those of the hub, and one that is away is named', async () => {
  const multitenancy = () => appendFileSync(file(), 'multitenancy: {enabled: true}\n')
  multitenancy()
  for (const id of ['acme', 'gone']) await home.done('tenant', 'create', id, '--name', id)
  await people(2)
  const hub = loadConfig(file(), {}).config
  const rows = await home.withLedger(({ readModel }) => listTenants(readModel))
  const [acme, gone] = rows.map((row) => configOfTenant(hub, row))
  if (!acme || gone?.db.driver !== 'sqlite') throw new Error('There are no tenants in files.')
  const ledger = await openReadyLedger(acme)
  await peopleIn(ledger, 3).finally(() => ledger.close())
  rmSync(gone.db.path)
  configure('s3')
  multitenancy()
  const { code, stdout, stderr } = await home.here('images', 'move')
  assert.is(server.objects.size, 5)
  assert.match(stdout, /^Moved 2 images .*\nTenant acme: Moved 3 images \(\d+ bytes\) from the database to the bucket/)
  assert.is(code, 1)
  assert.match(stderr, /^Tenant gone: Its database is not there/)
  const one = await home.done('images', 'move', '--tenant', 'acme')
  assert.is(one, 'There is nothing to move from the database to the bucket hub-test.\n')
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
