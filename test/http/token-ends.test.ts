import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { tokensTable } from '../../commands/people/token/table.js'
import { accessEnd } from '../../src/http/logStream.js'
import { StorageUnavailable } from '../../src/storage/storage.js'
import { heldNow } from '../support/memory.js'
import { suite } from '../support/suite.js'
import { fields, records, text } from './client.js'
import { withHub } from './hub-suite.js'
import { until } from './support.js'
import { succeeded, World } from './world.js'

const test = suite('tokens that end')
const DAY_MS = 86_400_000
/** A clock that shows this lets a token end by its timer alone: however long it takes to make it and to use it, it is in force. */
const STILL = Date.parse('2026-03-04T05:06:07.089Z')

test('a token is taken until the moment of its end, and is told then why not', async () => {
  let time = Date.parse('2026-03-04T05:06:07.089Z')
  await withHub({ now: () => time }, async (hub) => {
    const world = await World.of(hub)
    const expiresAt = new Date(time + DAY_MS).toISOString()
    const body = { name: 'for a day', expiresAt }
    const made = succeeded(await world.by(world.admin).post(`/admin/users/${world.owner.id}/tokens`, body))
    const by = world.by({ ...world.owner, token: text(made.body, 'secret') })
    const { token } = fields(succeeded(await by.get('/auth/session')).body)
    assert.is(fields(token).expiresAt, expiresAt)
    time += DAY_MS - 1
    assert.is((await by.get('/auth/session')).status, 200)
    time += 1
    const refused = await world.refused(401, () => by.get('/auth/session'), 'Unauthorized')
    assert.is(
      refused.headers['www-authenticate'],
      'Bearer error="invalid_token", error_description="The token has expired."'
    )
    // That it was made stays listed, and others of the account go on.
    assert.is((await world.by(world.owner).get('/auth/session')).status, 200)
  })
})

test('a stream ends with its token', async () => {
  await withHub({ now: () => STILL }, async (hub) => {
    const world = await World.of(hub)
    const body = { name: 'for a moment', expiresAt: new Date(STILL + 100).toISOString() }
    const made = succeeded(await world.by(world.admin).post(`/admin/users/${world.owner.id}/tokens`, body))
    const headers = { authorization: `Bearer ${text(made.body, 'secret')}` }
    const stream = await fetch(`${hub.url}/changes`, { headers })
    assert.is(stream.status, 200)
    // It would go on for ever.
    assert.match(await stream.text(), /: shutdown/)
  })
})

test('a stream ends with its token, also where memory is tidied up meanwhile', async () => {
  await withHub({ now: () => STILL }, async (hub) => {
    const world = await World.of(hub)
    const body = { name: 'for a moment', expiresAt: new Date(STILL + 1000).toISOString() }
    const made = succeeded(await world.by(world.admin).post(`/admin/users/${world.owner.id}/tokens`, body))
    const headers = { authorization: `Bearer ${text(made.body, 'secret')}` }
    const told = (await fetch(`${hub.url}/changes`, { headers })).text()
    for (let i = 0; i < 5; i++) {
      await sleep(100)
      heldNow()
    }
    assert.match(await told, /: shutdown/)
  })
})

test('work ends with its token, also while the database says nothing', async () => {
  let time = STILL
  await withHub({ now: () => time }, async (hub) => {
    const world = await World.of(hub)
    const body = { name: 'for a moment', expiresAt: new Date(STILL + 100).toISOString() }
    const made = succeeded(await world.by(world.admin).post(`/admin/users/${world.owner.id}/tokens`, body)).body
    const { readModel, ...ledger } = hub.hub.ledger
    const token = await readModel.get(tokensTable, text(fields(fields(made).token), 'id'))
    assert.ok(token)
    let looks = 0
    const away = () => {
      if (++looks === 2) time += 100
      return Promise.reject(new StorageUnavailable('It is away.'))
    }
    const without = new Proxy(readModel, {
      get: (_, key) => (key === 'current' ? away : Reflect.get(readModel, key, readModel))
    })
    const call = { hub: { ...hub.hub, ledger: { ...ledger, readModel: without } }, token }
    const over = new AbortController()
    const lost = accessEnd(call, () => true, over.signal)
    await until(async () => (lost.aborted ? true : null))
    over.abort()
    assert.is(looks, 2)
  })
})

test('a link to a desktop is told to be over as soon as the token is that it was made with', async () => {
  await withHub({}, async (hub) => {
    const world = await World.of(hub)
    const admin = world.by(world.admin)
    const statuses = async () =>
      records(await admin.get('/admin/invitations'), 'invitations').map(({ status }) => status)
    const made = succeeded(await world.by(world.owner).post('/auth/tokens', { name: 'for a moment' })).body
    const by = world.by({ ...world.owner, token: text(made, 'secret') })
    const secret = text(succeeded(await by.post('/auth/desktop-link')).body, 'secret')
    const before = await statuses()
    assert.is(before[0], 'pending')
    succeeded(await world.by(world.owner).delete(`/auth/tokens/${text(fields(made).token, 'id')}`))
    assert.equal(await statuses(), ['revoked', ...before.slice(1)])
    await world.refused(410, () => admin.post('/auth/invitations/preview', { secret }), /./)
  })
})

test('the configuration says how long tokens are in force, and at most', async () => {
  const time = Date.parse('2026-03-04T00:00:00.000Z')
  const config = { tokens: { expiresInDays: 30, expiresInDaysMax: 90 } }
  await withHub({ now: () => time, config }, async (hub) => {
    const world = await World.of(hub)
    const by = world.by(world.owner)
    const endOf = async (more: object) =>
      fields(fields(succeeded(await by.post('/auth/tokens', { name: 'one', ...more })).body).token).expiresAt
    assert.is(await endOf({}), '2026-04-03T00:00:00.000Z')
    assert.is(await endOf({ expiresAt: '2026-06-02T00:00:00Z' }), '2026-06-02T00:00:00.000Z')
    for (const expiresAt of ['2026-06-02T00:00:01Z', null])
      await world.refused(
        400,
        () => by.post('/auth/tokens', { name: 'one', expiresAt }),
        'expiresAt: A token of this hub ends within 90 days (tokens.expiresInDaysMax).'
      )
  })
})

test.run()
