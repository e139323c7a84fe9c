import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { carryOut, planAccount } from '../../src/trust/erasure/erase.js'
import { eraseExpired } from '../../src/trust/erasure/retention.js'
import { dataUrl, gif, losslessChunk, pngOf, webpOf } from '../images/made.js'
import { eventsOf } from '../support/append.js'
import { fields, holds, records, text } from './client.js'
import { usualDrivers } from './drivers.js'
import { hubSuite, replayedRows } from './hub-suite.js'
import type { Account } from './support.js'
import { succeeded } from './world.js'

let sizes = 1
/** An image that nobody else has. */
const aPng = () => pngOf(++sizes, 2)

for (const driver of usualDrivers) {
  const { test, world } = hubSuite('avatars', driver)

  const choose = async (by: Account, body: object) =>
    fields(succeeded(await world.by(by).put('/auth/profile/avatar', body)).body)
  const withImage = (by: Account, bytes: Buffer) => choose(by, { imageDataUrl: dataUrl('image/png', bytes) })
  const imageOf = (id: string, headers = {}) => world.by(world.colleague).get(`/auth/users/${id}/avatar`, headers)
  const blobs = () => world.hub.hub.ledger.storage.blobs
  const blobCount = async () => (await blobs().list('', 1000)).length
  const sessionOf = async (by: Account) => fields(succeeded(await world.by(by).get('/auth/session')).body)
  const remove = async (id: string) => void succeeded(await world.by(world.admin).delete(`/admin/users/${id}`))

  test('what somebody has chosen is shown wherever they are', async () => {
    const by = await world.user({ collectionAccess: ['*'] })
    assert.not.ok('avatarImageUrl' in fields((await sessionOf(by)).user))
    const chosen = await choose(by, {
      ...{ initials: 'kt', color: 'teal-600' },
      imageDataUrl: dataUrl('image/webp', webpOf(losslessChunk(9, 9)))
    })
    holds(chosen, { avatarInitials: 'KT', avatarColor: 'teal-600' })
    holds((await sessionOf(by)).user, chosen)
    const { get, put } = world.by(world.admin)
    holds((await get(`/admin/users/${by.id}`)).body, chosen)
    holds(
      records(await get('/admin/users'), 'users').find(({ id }) => id === by.id),
      chosen
    )
    const collectionId = await world.collection()
    const { body } = await world.by(by).post(`/collections/${collectionId}/discussions`, { body: 'Hello' })
    const avatar = { initials: 'KT', color: 'teal-600', imageUrl: chosen.avatarImageUrl }
    holds(body, { author: { id: by.id, name: by.name, avatar } })
    const own = await world.collection('Own', by)
    const [version] = records(await world.by(by).get(`/collections/${own}/history`), 'versions')
    assert.equal(version?.by, { id: by.id, name: by.name, avatar })
    holds((await put(`/admin/users/${by.id}`, { name: `Other ${by.name}` })).body, chosen)
  })

  test('an image is answered as what it is, under a tag of its bytes, and no browser takes it for anything else', async () => {
    const by = await world.user()
    const bytes = aPng()
    const avatarImageUrl = text(await withImage(by, bytes), 'avatarImageUrl')
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

  test('of an account that is erased nothing is left in the log, and its image is gone', async () => {
    const by = await world.user()
    const count = await blobCount()
    await choose(by, { initials: 'QX', imageDataUrl: dataUrl('image/png', aPng()) })
    await remove(by.id)
    await carryOut(world.hub.hub.ledger, await planAccount(world.hub.hub.ledger, by.id))
    assert.is(await blobCount(), count)
    const events = await eventsOf(world.hub.hub.ledger.storage, `user-${by.id}`)
    assert.ok(events.some(({ type }) => type === 'AvatarChanged'))
    assert.ok(events.every(({ payload }) => payload.text === null || payload.text === '{}'))
  })

  test('the hub is shown with what administrators have chosen for it', async () => {
    const chosen = { initials: 'hq', color: 'rose-600', imageDataUrl: dataUrl('image/png', aPng()) }
    const { body } = succeeded(await world.by(world.admin).put('/admin/hub/avatar', chosen))
    assert.equal((await sessionOf(world.owner)).hub, body)
    holds(body, { name: 'Default', initials: 'HQ', color: 'rose-600' })
    assert.match(text(body, 'imageUrl'), /^\/auth\/hub\/avatar\?v=\d+$/)
  })

  test('the audit log tells of avatars, and the read tables equal a replay of the log', async () => {
    const by = await world.user()
    await choose(by, { initials: 'AU', imageDataUrl: dataUrl('image/png', aPng()) })
    const asked = await world.by(world.admin).get(`/admin/audit?kind=user&id=${by.id}&limit=1`)
    const [entry] = records(succeeded(asked), 'entries')
    assert.is(entry?.type, 'AvatarChanged')
    await replayedRows(world)
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
