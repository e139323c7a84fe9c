import * as assert from 'uvu/assert'
import { STREAM_KINDS } from '../../commands/index.js'
import { errors } from '../../src/errors.js'
import { carryOut, planDeleted } from '../../src/trust/erasure/erase.js'
import { fields, holds, records, text } from './client.js'
import { usualDrivers } from './drivers.js'
import { hubSuite } from './hub-suite.js'
import { succeeded } from './world.js'

for (const driver of usualDrivers) {
  const limits = { maxFailures: 3, maxFailuresPerAddress: 5 }
  const { test, world } = hubSuite('the audit log', driver, { limits })

  const entries = async (query: string) =>
    records(succeeded(await world.by(world.admin).get(`/admin/audit?${query}`)), 'entries')

  test('a reload is in it, with who asked for it and what came of it', async () => {
    succeeded(await world.by(world.admin).post('/admin/config/reload'))
    const [entry] = await entries('type=ConfigurationReloaded&limit=1')
    holds(entry?.actor, { id: world.admin.id })
    assert.match(JSON.stringify(entry?.changes), /"section":"db","status":"unchanged"/)
  })

  test('as NDJSON it is one entry a line, and a header tells where the next page begins', async () => {
    const { get } = world.by(world.admin)
    const { headers, text } = succeeded(await get('/admin/audit?limit=2', { accept: 'application/x-ndjson' }))
    assert.match(headers['content-type'] ?? '', /^application\/x-ndjson/)
    const lines = text.trimEnd().split('\n')
    const positions = lines.map((line) => fields(JSON.parse(line)).position)
    assert.is(positions.length, 2)
    assert.is(headers['x-next-cursor'], String(positions[1]))
  })

  test('a cursor that is empty or none is refused, as in other lists', async () => {
    for (const path of ['/admin/audit', '/admin/audit/facets', '/admin/users'])
      for (const cursor of ['', 'x', '-1']) {
        const ask = () => world.by(world.admin).get(`${path}?cursor=${cursor}`)
        await world.refused(400, ask, errors.cursorMalformed().message)
      }
  })

  test('a day that ends a range is in it to its end, and one that begins it from its beginning', async () => {
    const [newest] = await entries('limit=1')
    const at = text(newest, 'at')
    const day = at.slice(0, 10)
    const before = new Date(Date.parse(at) - 86_400_000).toISOString().slice(0, 10)
    const ofDay = await entries(`from=${day}&to=${day}&limit=1`)
    assert.is(text(ofDay[0], 'at').slice(0, 10), day)
    assert.equal(await entries(`type=${newest?.type}&to=${before}`), [])
  })

  test('a token is in it without the hash of its secret, and so is its revocation', async () => {
    const user = await world.user()
    await world.hub.run({ type: 'RevokeToken', id: user.tokenId })
    const [revoked, ...made] = await entries(`kind=token&id=${user.tokenId}`)
    assert.is(revoked?.type, 'TokenRevoked')
    assert.match(JSON.stringify(revoked?.changes), '"path":"/revokedAt"')
    assert.not.match(JSON.stringify(made), /[0-9a-f]{64}/)
  })

  test('what is given to an account and taken is in it with what was before, and what is deleted with its name', async () => {
    const user = await world.user()
    const id = await world.collection()
    const { post, put, delete: remove } = world.by(world.admin)
    const grants = [{ kind: 'collection', id, role: 'viewer' }]
    for (const given of [grants, []]) succeeded(await put(`/admin/users/${user.id}/grants`, { grants: given }))
    succeeded(await post(`/admin/users/${user.id}/disable`))
    succeeded(await post(`/admin/users/${user.id}/enable`))
    const [enabled, disabled, taken, given] = await entries(`kind=user&id=${user.id}`)
    assert.equal(given?.changes, [{ path: '/grants', from: null, to: grants }])
    assert.equal(taken?.changes, [{ path: '/grants', from: grants, to: null }])
    assert.equal(enabled?.changes, [
      { path: '/disabledAt', from: fields(disabled).at, to: null },
      { path: '/disabledBy', from: 'administrator', to: null }
    ])
    const budget = { subject: 'hub', unit: 'tokens', period: 'day', limit: 100 }
    for (const [path, body] of [
      ['/admin/groups', { name: 'Payments' }],
      ['/admin/llm/budgets', { name: 'Payments', ...budget }]
    ] as const) {
      const made = text(fields(succeeded(await post(path, body)).body), 'id')
      succeeded(await remove(`${path}/${made}`))
      const [deleted] = await entries(`id=${made}&limit=1`)
      holds(deleted?.resource, { id: made, name: 'Payments' })
    }
  })

  test('every kind of stream that an event can be in is one to look for, erasures among them', async () => {
    const id = await world.collection()
    succeeded(await world.by(world.owner).delete(`/collections/${id}`))
    const { ledger } = world.hub.hub
    await carryOut(ledger, await planDeleted(ledger, 'collection', id))
    for (const kind of STREAM_KINDS) succeeded(await world.by(world.admin).get(`/admin/audit?kind=${kind}&limit=1`))
    assert.is((await entries('kind=erasure'))[0]?.type, 'PayloadsErased')
    const written = (await ledger.storage.readLog(0, 10_000)).map(({ stream }) => stream.slice(0, stream.indexOf('-')))
    for (const kind of [...written, 'legacyaudit', 'takeover']) assert.ok(STREAM_KINDS.includes(kind), kind)
  })

  test('an account is found by its name as people read it', async () => {
    const user = await world.user({ collectionAccess: ['*'] })
    const id = await world.collection('Named', user)
    for (const name of [user.name, user.name.toUpperCase(), `${user.name.slice(0, 3)}\u200b${user.name.slice(3)}`]) {
      const found = await entries(`actor=${encodeURIComponent(name)}&type=CollectionCreated`)
      assert.equal(
        found.map(({ resource }) => fields(resource).id),
        [id],
        name
      )
    }
  })

  // Last: it blocks the address that every test comes from.
  test('a block is in it once, with the address, however often the blocked one goes on', async () => {
    const before = (await entries('type=LoginBlocked')).length
    for (let i = 0; i < 8; i++) await world.hub.send({ method: 'GET', path: '/collections', token: 'hbk_wrong' })
    const { storage } = world.hub.hub.ledger
    const head = await storage.head()
    const filter = { types: ['LoginBlocked'], address: '127.0.0.1' }
    const found = await storage.searchLog(filter, { after: 0, through: head.position }, 10, true)
    assert.is(found.length, before + 1)
    const [event] = await storage.readAt(found.slice(0, 1).map(({ position }) => position))
    assert.match(event?.payload.text ?? '', /"failuresWith":"oneSecret"/)
  })

  test('a filter that no text of the log can hold is 400', async () => {
    for (const name of ['actor', 'token', 'type', 'id', 'address', 'request']) {
      for (const value of ['%00', 'a%00b']) {
        const ask = () => world.by(world.admin).get(`/admin/audit?${name}=${value}`)
        await world.refused(400, ask, 'Must not contain NUL or broken characters.')
      }
      await world.refused(400, () => world.by(world.admin).get(`/admin/audit?${name}=${'x'.repeat(501)}`))
    }
  })

  test.run()
}
