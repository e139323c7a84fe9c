import { createHash, randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { verify } from '../../projections/verify.js'
import { releaseImages } from '../../src/records/images/kept.js'
import { carryOut, planAccount } from '../../src/trust/erasure/erase.js'
import { eraseExpired } from '../../src/trust/erasure/retention.js'
import { dataUrl, gif, losslessChunk, pngOf, webpOf } from '../images/made.js'
import { type Fields, fields, records, text } from './client.js'
import { usualDrivers } from './drivers.js'
import { hubSuite } from './hub-suite.js'
import { exactly, ownAvatar, session, user } from './shapes.js'
import type { Account } from './support.js'
import { succeeded, type World } from './world.js'

let sizes = 1
/** An image that nobody else has. */
const aPng = () => pngOf(++sizes, 2)

for (const driver of usualDrivers) {
  let world: World
  const test = hubSuite('avatars', driver, (made) => {
    world = made
  })

  const choose = async (by: Account, body: object) =>
    exactly(ownAvatar, succeeded(await world.by(by).put('/auth/profile/avatar', body)).body)
  const withImage = (by: Account, bytes: Buffer) => choose(by, { imageDataUrl: dataUrl('image/png', bytes) })
  const imageOf = (id: string, headers = {}) => world.by(world.colleague).get(`/auth/users/${id}/avatar`, headers)
  const blobs = () => world.hub.hub.ledger.storage.blobs
  const blobCount = async () => (await blobs().list('', 1000)).length
  const sessionOf = async (by: Account) => exactly(session, succeeded(await world.by(by).get('/auth/session')).body)
  const recordOf = async (id: string) =>
    exactly(user, succeeded(await world.by(world.admin).get(`/admin/users/${id}`)).body)
  const remove = async (id: string) => void succeeded(await world.by(world.admin).delete(`/admin/users/${id}`))

  test('what somebody has chosen is shown wherever they are', async () => {
    const by = await world.user({ collectionAccess: ['*'] })
    const before = await sessionOf(by)
    assert.not.ok('avatarImageUrl' in before.user)
    const chosen = await choose(by, {
      ...{ initials: 'kt', color: 'teal-600' },
      imageDataUrl: dataUrl('image/webp', webpOf(losslessChunk(9, 9)))
    })
    assert.equal([chosen.avatarInitials, chosen.avatarColor], ['KT', 'teal-600'])
    const { id, name, role, ...shown } = (await sessionOf(by)).user
    assert.equal(shown, chosen)
    const { avatarInitials, avatarColor, avatarImageUrl } = await recordOf(by.id)
    assert.equal({ avatarInitials, avatarColor, avatarImageUrl }, chosen)
    const listed = records(await world.by(world.admin).get('/admin/users'), 'users').find((one) => one.id === by.id)
    assert.is(listed?.avatarImageUrl, chosen.avatarImageUrl)
    const collectionId = await world.collection()
    const { body } = await world.by(by).post(`/collections/${collectionId}/discussions`, { body: 'Hello' })
    const author = {
      ...{ id: by.id, name: by.name },
      avatar: { initials: 'KT', color: 'teal-600', imageUrl: chosen.avatarImageUrl }
    }
    assert.equal(fields(body).author, author)
    const made = text(succeeded(await world.by(by).post('/collections', { name: 'Own' })).body, 'id')
    const [version] = records(await world.by(by).get(`/collections/${made}/history`), 'versions')
    assert.equal(version?.by, author)
  })

  test('an image is answered as what it is, under a tag of its bytes, and no browser takes it for anything else', async () => {
    const by = await world.user()
    const bytes = aPng()
    const { avatarImageUrl = '' } = await withImage(by, bytes)
    const first = succeeded(await world.by(world.owner).get(avatarImageUrl))
    assert.equal(first.bytes, bytes)
    const { headers } = first
    assert.is(headers['content-type'], 'image/png')
    assert.is(headers['content-length'], String(bytes.length))
    assert.match(String(headers.etag), /^"[0-9a-f]{64}"$/)
    assert.is(headers['cache-control'], 'private, max-age=3600')
    assert.is(headers['x-content-type-options'], 'nosniff')
    assert.is(headers['content-security-policy'], "default-src 'none'; sandbox")
    const again = await imageOf(by.id, { 'if-none-match': String(headers.etag) })
    assert.equal([again.status, again.text], [304, ''])
    assert.is(again.headers['cache-control'], 'private, max-age=3600')
    const head = await world.hub.send({ method: 'HEAD', path: avatarImageUrl, token: world.owner.token })
    assert.equal([head.status, head.text, head.headers['content-length']], [200, '', String(bytes.length)])
    await world.refused(401, () => world.hub.send({ method: 'GET', path: avatarImageUrl }))
  })

  test('initials that nobody has chosen hold letters alone, of the first words that have any', async () => {
    const initials = async (name: string) => {
      const { body } = await world
        .by(world.admin)
        .post('/admin/users', { name: `${name} ${randomUUID()}`, role: 'user' })
      return fields(fields(body).user).avatarInitials
    }
    assert.is(await initials('Ada Lovelace'), 'AL')
    assert.is(await initials('(Ada) - "Countess"'), 'AC')
    assert.is(await initials('42 7th é'), 'TÉ')
  })

  test('another image has another address and another tag; initials alone change neither', async () => {
    const by = await world.user()
    const first = await withImage(by, aPng())
    const tag = (await imageOf(by.id)).headers.etag
    assert.is((await choose(by, { initials: 'X' })).avatarImageUrl, first.avatarImageUrl)
    const second = await choose(by, { imageDataUrl: dataUrl('image/gif', gif) })
    assert.is.not(second.avatarImageUrl, first.avatarImageUrl)
    const reply = await imageOf(by.id, { 'if-none-match': String(tag) })
    assert.equal([reply.status, reply.headers['content-type']], [200, 'image/gif'])
    assert.equal(reply.bytes, gif)
  })

  test('a change that changes nothing writes nothing, and one of an administrator minds If-Match', async () => {
    const by = await world.user()
    const imageDataUrl = dataUrl('image/png', aPng())
    await choose(by, { initials: 'AB', imageDataUrl })
    const { position } = await world.hub.hub.ledger.storage.head()
    await choose(by, { initials: 'ab', imageDataUrl })
    assert.is((await world.hub.hub.ledger.storage.head()).position, position)
    const path = `/admin/users/${by.id}`
    const { etag } = (await world.by(world.admin).get(path)).headers
    await choose(by, { initials: 'CD' })
    const count = await blobCount()
    const late = { imageDataUrl: dataUrl('image/png', aPng()) }
    await world.refused(412, () => world.by(world.admin).put(path, late, { 'if-match': String(etag) }))
    assert.is(await blobCount(), count, 'of a refused change no image is left')
  })

  test('an image goes when the last who shows it has another one, or none, or is gone', async () => {
    const [one, other] = [await world.user(), await world.user()]
    const shared = aPng()
    const before = await blobCount()
    await withImage(one, shared)
    await withImage(other, shared)
    succeeded(await world.by(world.admin).put('/admin/hub/avatar', { imageDataUrl: dataUrl('image/png', shared) }))
    assert.is(await blobCount(), before + 1)
    await withImage(one, aPng())
    assert.equal((await imageOf(other.id)).bytes, shared)
    await remove(other.id)
    assert.is(await blobCount(), before + 2)
    assert.equal((await world.by(one).get('/auth/hub/avatar')).bytes, shared)
    succeeded(await world.by(world.admin).put('/admin/hub/avatar', { imageDataUrl: null }))
    await choose(one, { imageDataUrl: null })
    assert.is(await blobCount(), before)
    await world.refused(404, () => imageOf(one.id), 'Avatar image not found')
    await world.refused(404, () => imageOf(other.id), 'Avatar image not found')
  })

  test('of those who take and show an image at the same time, who shows it at the end has it', async () => {
    const people = await Promise.all([world.user(), world.user(), world.user()])
    const bytes = aPng()
    const imageDataUrl = dataUrl('image/png', bytes)
    for (let round = 0; round < 3; round++) {
      await Promise.all(
        people.map((by, i) => choose(by, { imageDataUrl: (i + round) % 2 === 0 ? imageDataUrl : null }))
      )
      for (const by of people) {
        const { avatarImageUrl } = (await sessionOf(by)).user
        if (avatarImageUrl !== undefined) assert.equal((await imageOf(by.id)).bytes, bytes)
      }
    }
  })

  test('an image that an interruption has left is found and deleted', async () => {
    const by = await world.user()
    const bytes = aPng()
    await withImage(by, bytes)
    const count = await blobCount()
    await blobs().put('f'.repeat(64), Buffer.from('left'))
    await releaseImages(world.hub.hub.ledger)
    assert.is(await blobCount(), count)
    assert.equal((await imageOf(by.id)).bytes, bytes)
  })

  test('of an account that is erased nothing is left in the log, and its image is gone', async () => {
    const by = await world.user()
    const count = await blobCount()
    await choose(by, { initials: 'QX', imageDataUrl: dataUrl('image/png', aPng()) })
    await remove(by.id)
    await carryOut(world.hub.hub.ledger, await planAccount(world.hub.hub.ledger, by.id))
    assert.is(await blobCount(), count)
    const events = await world.hub.hub.ledger.storage.readStream(`user-${by.id}`, 0, 100)
    assert.ok(events.some(({ type }) => type === 'AvatarChanged'))
    assert.ok(events.every(({ payload }) => payload.text === null || payload.text === '{}'))
  })

  test('who is invited, or made, has what was chosen for them', async () => {
    const avatar = { avatarInitials: 'kt', avatarColor: 'teal-600' }
    const made = { name: `User ${randomUUID()}`, role: 'user', ...avatar }
    for (const path of ['/admin/users', '/admin/invited-users']) {
      const name = `User ${randomUUID()}`
      const reply = succeeded(await world.by(world.admin).post(path, { ...made, name }))
      const { id, avatarInitials, avatarColor }: Fields = fields(fields(reply.body).user)
      assert.equal([avatarInitials, avatarColor], ['KT', 'teal-600'])
      const renamed = await world.by(world.admin).put(`/admin/users/${String(id)}`, { name: `Other ${name}` })
      assert.is(text(succeeded(renamed).body, 'avatarInitials'), 'KT')
    }
  })

  test('the hub is shown with what administrators have chosen for it', async () => {
    const chosen = { initials: 'hq', color: 'rose-600', imageDataUrl: dataUrl('image/png', aPng()) }
    const { body } = succeeded(await world.by(world.admin).put('/admin/hub/avatar', chosen))
    const { hub } = await sessionOf(world.owner)
    assert.equal(hub, body)
    assert.equal([hub.name, hub.initials, hub.color], ['Default', 'HQ', 'rose-600'])
    assert.match(String(hub.imageUrl), /^\/auth\/hub\/avatar\?v=\d+$/)
  })

  test('the audit log tells of avatars, and the read tables equal a replay of the log', async () => {
    const by = await world.user()
    await choose(by, { initials: 'AU', imageDataUrl: dataUrl('image/png', aPng()) })
    const asked = await world.by(world.admin).get(`/admin/audit?kind=user&id=${by.id}&limit=1`)
    const [entry] = records(succeeded(asked), 'entries')
    assert.is(entry?.type, 'AvatarChanged')
    const { storage, readEvents } = world.hub.hub.ledger
    assert.ok((await verify(storage, readEvents, () => createHash('sha256'))).equal)
  })

  test('who made a version whose name is erased is drawn as nobody', async () => {
    const by = await world.user({ collectionAccess: ['*'] })
    const id = text(succeeded(await world.by(by).post('/collections', { name: 'Own' })).body, 'id')
    const tomorrow = Date.now() + 86_400_000 + 1000
    await eraseExpired(world.hub.hub.ledger, 1, tomorrow)
    const [version] = records(await world.by(by).get(`/collections/${id}/history`), 'versions')
    assert.equal(version?.by, { id: by.id, name: null })
  })

  test.run()
}
