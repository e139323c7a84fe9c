import * as assert from 'uvu/assert'
import { releaseImages } from '../../src/records/images/shown.js'
import { dataUrl, pngOf } from '../images/made.js'
import { type S3Server, startS3 } from '../support/s3Server.js'
import { suite } from '../support/suite.js'
import { eachOf, fields, records, text } from './client.js'
import { sqlite } from './drivers.js'
import { assertNoCrash } from './hub-suite.js'
import { type Account, startHub, until } from './support.js'
import { succeeded, World } from './world.js'

const test = suite('avatars in a bucket')
const DOWN = 'Images are not available: their storage does not answer. Try again in a moment.'
/** How long an answer of the bucket is waited for: what is stored and read here takes a fraction of it, also on a busy machine. */
const SILENCE_SECONDS = 3
/** What takes longer waits for more than that. */
const LATE_MS = 15_000
let server: S3Server
let world: World
let sizes = 1
/** An image that nobody else has. */
const aPng = () => pngOf(++sizes, 3)

test.before(async () => {
  server = await startS3()
  const storage = { driver: 's3', ...server.config, timeoutSeconds: SILENCE_SECONDS }
  world = await World.of(await startHub(sqlite, { config: { storage } }))
})
test.before.each(() => {
  server.behave('well')
  server.objects.clear()
})
test.after(async () => {
  await world.hub.close()
  await server.close()
  assertNoCrash(world.hub)
})

const choose = (by: Account, bytes: Buffer | null) =>
  world.by(by).put('/auth/profile/avatar', { imageDataUrl: bytes && dataUrl('image/png', bytes) })
const imageOf = ({ id }: Account, headers = {}) => world.by(world.colleague).get(`/auth/users/${id}/avatar`, headers)

test('an image goes to the bucket and comes from there through the hub, under the same headers', async () => {
  const by = await world.user()
  const bytes = aPng()
  succeeded(await choose(by, bytes))
  assert.equal([...server.objects.values()], [bytes])
  const reply = succeeded(await imageOf(by))
  assert.equal(reply.bytes, bytes)
  assert.equal(
    ['content-type', 'x-content-type-options', 'content-security-policy', 'cache-control', 'location'].map(
      (name) => reply.headers[name]
    ),
    ['image/png', 'nosniff', "default-src 'none'; sandbox", 'private, max-age=3600', undefined]
  )
})

test('of an image that the client has, nobody is asked', async () => {
  const by = await world.user()
  succeeded(await choose(by, aPng()))
  const etag = String((await imageOf(by)).headers.etag)
  const before = server.asked.length
  assert.is((await imageOf(by, { 'if-none-match': etag })).status, 304)
  assert.is(server.asked.length, before)
})

test('while the bucket is silent images are 503 in time, and everything else is as before', async () => {
  const by = await world.user({ collectionAccess: ['*'] })
  succeeded(await choose(by, aPng()))
  const logged = world.hub.log.length
  server.behave('silent')
  const first = await world.refused(503, () => imageOf(by), DOWN)
  assert.ok(first.duration_ms < LATE_MS, `${first.duration_ms}`)
  assert.is(first.headers['retry-after'], '1')
  const again = await world.refused(503, () => choose(by, aPng()), DOWN)
  assert.ok(again.duration_ms < LATE_MS, `${again.duration_ms}`)
  succeeded(await world.by(by).put('/auth/profile/avatar', { initials: 'ok' }))
  await world.request(await world.collection())
  assert.is((await world.hub.send({ method: 'GET', path: '/readyz' })).status, 200)
  const standing = succeeded(await world.by(world.admin).get('/admin/status'))
  const check = records(standing, 'checks').find(({ name }) => name === 'images')
  assert.is(check?.status, 'failed')
  assert.ok(!JSON.stringify(check).includes(server.config.secretAccessKey))
  const told = () => world.hub.log.slice(logged).filter(({ msg }) => String(msg).includes('object storage'))
  assert.equal(eachOf(told(), 'msg'), ['the object storage cannot be used: images are neither sent nor taken'])
  server.behave('well')
  await until(async () => ((await imageOf(by)).status === 200 ? true : null))
  await until(() => (told().length > 1 ? true : null))
  assert.is(told()[1]?.msg, 'the object storage answers again')
})

test('an account is deleted while the bucket is down, and its image goes when it is looked for', async () => {
  const by = await world.user()
  succeeded(await choose(by, aPng()))
  server.behave(403)
  succeeded(await world.by(world.admin).delete(`/admin/users/${by.id}`))
  assert.is(server.objects.size, 1)
  server.behave('well')
  await releaseImages(world.hub.hub.ledger)
  assert.is(server.objects.size, 0)
})

test('no line of the log has the secret, whatever the bucket answers', async () => {
  const by = await world.user()
  succeeded(await choose(by, aPng()))
  for (const status of [403, 404, 301, 400]) {
    server.behave(status)
    await imageOf(by)
  }
  assert.ok(!JSON.stringify(world.hub.log).includes(server.config.secretAccessKey))
})

test('an image of before stays in the database and is shown from there; a reload takes the section over', async () => {
  world.hub.reconfigure({ storage: { driver: 'db' } })
  const reload = async () => {
    const reply = succeeded(await world.by(world.admin).post('/admin/config/reload'))
    return records(reply, 'sections').map((section) => [text(section, 'section'), text(section, 'status')])
  }
  assert.equal((await reload())[0], ['db', 'reloaded'])
  const by = await world.user()
  const bytes = aPng()
  succeeded(await choose(by, bytes))
  assert.is(server.objects.size, 0)
  world.hub.reconfigure({ storage: { driver: 's3', ...server.config, timeoutSeconds: SILENCE_SECONDS } })
  const sections = await reload()
  assert.equal(sections[0], ['db', 'reloaded'])
  assert.ok(!sections.some(([name]) => name === 'storage'))
  assert.equal((await imageOf(by)).bytes, bytes)
  succeeded(await choose(by, null))
  assert.is(fields((await world.by(by).get('/auth/session')).body).avatarImageUrl, undefined)
  await world.refused(404, () => imageOf(by), 'Avatar image not found')
})

test.run()
