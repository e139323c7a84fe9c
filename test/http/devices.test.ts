import { createHash, randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { verify } from '../../projections/verify.js'
import { fields, records, text } from './client.js'
import { mlsCommit, mlsCommitPage, mlsGroupState } from './deviceShapes.js'
import { drivers } from './drivers.js'
import { aDevice, deviceOf, enrolled } from './encryption.js'
import { hubSuite } from './hub-suite.js'
import { exactly } from './shapes.js'
import type { Account } from './support.js'
import { everything, succeeded, type World } from './world.js'

const NO_DEVICE = 'Sender device is not enrolled on this Team Hub'
const NO_TARGET = 'Discussion target not found'

for (const driver of drivers) {
  let world: World
  const test = hubSuite(
    'devices, and what they send each other',
    driver,
    (made) => {
      world = made
    },
    { config: { collaboration: { e2ee: true } } }
  )

  /** The group of a request in a collection of its own. */
  const aGroup = async () => {
    const id = await world.request(await world.collection())
    return { id, mlsGroupId: `thread:request:${id}`, query: `mlsGroupId=${encodeURIComponent(`thread:request:${id}`)}` }
  }
  const commit = async (mlsGroupId: string, epoch: number, ciphertext = 'eyJ0Ijoi', as: Account = world.owner) =>
    world.by(as).post('/discussion-mls/commits', {
      ...{ mlsGroupId, epoch, ciphertext, senderDeviceId: await deviceOf(world, as) }
    })
  const welcome = (mlsGroupId: string, recipientDeviceId: string, as: Account = world.owner, secret = 'V0VM') =>
    world.by(as).post('/discussion-mls/welcomes', {
      ...{ mlsGroupId, recipientDeviceId, ciphertext: secret, ratchetTree: 'VFJF' }
    })
  const welcomesOf = async (query: string, as: Account) =>
    records(succeeded(await world.by(as).get(`/discussion-mls/welcomes?${query}`)), 'welcomes')
  const devicesOf = async (as: Account) => records(succeeded(await world.by(as).get('/devices')), 'devices')

  test('an account has 50 devices, and of those that are revoked the oldest makes room for another', async () => {
    const as = await world.user()
    const ids: string[] = []
    for (let i = 0; i < 50; i++) ids.push(await enrolled(world, randomUUID(), as))
    const more = () => world.by(as).post('/devices', aDevice())
    await world.refused(
      409,
      more,
      'There are 50 devices of this account, and no more are allowed. Revoke some of them first.'
    )
    const [first = '', second = ''] = ids
    for (const id of [second, first]) succeeded(await world.by(as).delete(`/devices/${id}`))
    succeeded(await more())
    const left = new Set((await devicesOf(as)).map(({ id }) => id))
    assert.is(left.size, 50)
    assert.equal([left.has(first), left.has(second)], [false, true])
    succeeded(await more())
    await world.refused(409, more)
  })

  test('of many enrolments of one device at once, one is carried out', async () => {
    const as = await world.user()
    const body = aDevice()
    const replies = await Promise.all(Array.from({ length: 8 }, () => world.by(as).post('/devices', body)))
    assert.equal(replies.map(({ status }) => status).toSorted(), [201, ...Array(7).fill(409)])
  })

  test('repeated under one key, an enrolment and a commit are carried out once, and answered as they were', async () => {
    const as = await world.user(everything)
    const { mlsGroupId } = await aGroup()
    const body = aDevice()
    const once = { 'idempotency-key': randomUUID() }
    const first = succeeded(await world.by(as).post('/devices', body, once))
    assert.equal((await world.by(as).post('/devices', body, once)).text, first.text)
    const sent = { mlsGroupId, epoch: 0, ciphertext: 'x', senderDeviceId: body.deviceId }
    const key = { 'idempotency-key': randomUUID() }
    const made = succeeded(await world.by(as).post('/discussion-mls/commits', sent, key))
    assert.equal((await world.by(as).post('/discussion-mls/commits', sent, key)).text, made.text)
  })

  test('devices go with their account', async () => {
    const as = await world.user()
    const made = await enrolled(world, randomUUID(), as)
    succeeded(await world.by(world.admin).delete(`/admin/users/${as.id}`))
    const all = records(succeeded(await world.by(world.admin).get('/admin/device-keys')), 'devices')
    assert.not.ok(all.some(({ id }) => id === made))
    await world.refused(404, () => world.by(world.admin).delete(`/admin/device-keys/${made}`), 'Device not found')
    await world.refused(404, () => world.by(world.admin).get(`/admin/users/${as.id}/devices`), 'User not found')
  })

  test('of many commits for one epoch at once, one is taken; epochs only grow, and may leave some out', async () => {
    const { mlsGroupId, query } = await aGroup()
    await deviceOf(world)
    const replies = await Promise.all(Array.from({ length: 8 }, (_, i) => commit(mlsGroupId, 0, `no ${i}`)))
    assert.equal(replies.map(({ status }) => status).toSorted(), [201, ...Array(7).fill(409)])
    const state = async () => {
      const path = `/discussion-mls/group-state/${encodeURIComponent(mlsGroupId)}`
      return exactly(mlsGroupState, succeeded(await world.by(world.colleague).get(path)).body)
    }
    const { createdAt, updatedAt } = await state()
    assert.is(createdAt, updatedAt)
    const last = exactly(mlsCommit, succeeded(await commit(mlsGroupId, 5)).body)
    for (const epoch of [0, 3, 5]) await world.refused(409, () => commit(mlsGroupId, epoch))
    assert.equal(await state(), { mlsGroupId, currentEpoch: 5, createdAt, updatedAt: last.createdAt })
    succeeded(await commit(mlsGroupId, 50))
    const list = exactly(
      mlsCommitPage,
      succeeded(await world.by(world.colleague).get(`/discussion-mls/commits?${query}`)).body
    )
    assert.equal(
      list.commits.map(({ epoch }) => epoch),
      [0, 5, 50]
    )
  })

  test('commits come in pages, each behind the epoch that the one before has ended with', async () => {
    const { mlsGroupId, query } = await aGroup()
    for (let epoch = 0; epoch < 7; epoch++) succeeded(await commit(mlsGroupId, epoch))
    const pages: (readonly number[])[] = []
    for (let cursor = ''; pages.length < 10; ) {
      const path = `/discussion-mls/commits?${query}&limit=3&cursor=${cursor}`
      const page = exactly(mlsCommitPage, succeeded(await world.by(world.owner).get(path)).body)
      pages.push(page.commits.map(({ epoch }) => epoch))
      if (page.nextCursor === undefined) break
      cursor = page.nextCursor
      assert.is(cursor, String(pages.at(-1)?.at(-1)))
    }
    assert.equal(pages, [[0, 1, 2], [3, 4, 5], [6]])
  })

  test('commits of the largest size come in pages no larger than a page may be', async () => {
    const { mlsGroupId, query } = await aGroup()
    for (let epoch = 0; epoch < 18; epoch++) succeeded(await commit(mlsGroupId, epoch, 'x'.repeat(262_144)))
    const epochs: number[] = []
    for (let cursor = '', reads = 0; ; reads++) {
      const path = `/discussion-mls/commits?${query}&cursor=${cursor}`
      const page = exactly(mlsCommitPage, succeeded(await world.by(world.owner).get(path)).body)
      epochs.push(...page.commits.map(({ epoch }) => epoch))
      if (page.nextCursor === undefined) {
        assert.ok(reads > 0)
        break
      }
      cursor = page.nextCursor
    }
    assert.equal(epochs, [...Array(18).keys()])
  })

  test('a welcome is for the account whose device was there first, whoever enrols the same id later', async () => {
    const { mlsGroupId, query } = await aGroup()
    const deviceId = randomUUID()
    const [first, later] = [await world.user(everything), await world.user(everything)]
    await enrolled(world, deviceId, first)
    await enrolled(world, deviceId, later)
    const made = succeeded(await welcome(mlsGroupId, deviceId)).body
    for (const more of ['', `&recipientDeviceId=${deviceId}`]) {
      assert.equal(await welcomesOf(query + more, first), [made])
      for (const as of [later, world.owner]) assert.equal(await welcomesOf(query + more, as), [])
    }
  })

  test('an account without an active device sends neither commits nor welcomes', async () => {
    const { mlsGroupId } = await aGroup()
    const as = await world.user(everything)
    const recipient = await deviceOf(world, world.colleague)
    await world.refused(403, () => welcome(mlsGroupId, recipient, as), NO_DEVICE)
    const deviceId = randomUUID()
    const id = await enrolled(world, deviceId, as)
    succeeded(await welcome(mlsGroupId, recipient, as))
    succeeded(await world.by(as).delete(`/devices/${id}`))
    await world.refused(403, () => welcome(mlsGroupId, recipient, as), NO_DEVICE)
    const body = { mlsGroupId, epoch: 0, ciphertext: 'x', senderDeviceId: deviceId }
    await world.refused(403, () => world.by(as).post('/discussion-mls/commits', body), NO_DEVICE)
    await world.refused(404, () => welcome(mlsGroupId, deviceId), 'Recipient device not found')
  })

  test('ten of the largest welcomes are read by the device that they are for', async () => {
    const { mlsGroupId, query } = await aGroup()
    const as = await world.user(everything)
    const recipientDeviceId = await deviceOf(world, as)
    await deviceOf(world)
    const [ciphertext, ratchetTree] = ['c'.repeat(262_144), 'r'.repeat(262_144)]
    const body = { mlsGroupId, recipientDeviceId, ciphertext, ratchetTree }
    for (let i = 0; i < 10; i++) succeeded(await world.by(world.owner).post('/discussion-mls/welcomes', body))
    const all = await welcomesOf(query, as)
    assert.is(all.length, 10)
    assert.ok(all.every((one) => text(one, 'ratchetTree').length === 262_144))
  })

  test('what devices have sent goes out of sight with what is discussed, and comes back with it', async () => {
    const { id, mlsGroupId, query } = await aGroup()
    const recipient = await deviceOf(world, world.colleague)
    succeeded(await commit(mlsGroupId, 0))
    succeeded(await welcome(mlsGroupId, recipient))
    const paths = [
      `/discussion-mls/commits?${query}`,
      `/discussion-mls/welcomes?${query}`,
      `/discussion-mls/group-state/${mlsGroupId}`
    ]
    const seen = async () => Promise.all(paths.map(async (path) => (await world.by(world.colleague).get(path)).text))
    const before = await seen()
    succeeded(await world.by(world.owner).delete(`/requests/${id}`))
    for (const path of paths) await world.refused(404, () => world.by(world.colleague).get(path), NO_TARGET)
    await world.refused(404, () => commit(mlsGroupId, 1), NO_TARGET)
    succeeded(await world.by(world.owner).post('/undelete', { kind: 'request', id }))
    assert.equal(await seen(), before)
  })

  test('the audit log tells of devices and of what they send, and the feed tells users nothing of it', async () => {
    const { mlsGroupId } = await aGroup()
    const as = await world.user(everything)
    const start = world.position()
    const device = await enrolled(world, randomUUID(), as)
    const { id: sent } = exactly(mlsCommit, succeeded(await commit(mlsGroupId, 0, 'x', as)).body)
    succeeded(await welcome(mlsGroupId, await deviceOf(world, as), as))
    succeeded(await world.by(as).delete(`/devices/${device}`))
    const types = async (kind: string) => {
      const reply = succeeded(await world.by(world.admin).get(`/admin/audit?kind=${kind}&limit=50`))
      return records(reply, 'entries').filter(({ position }) => Number(position) > start)
    }
    const told = await types('device')
    assert.equal(
      told.map(({ type, resource }) => [type, fields(resource).id]),
      [
        ['DeviceRevoked', device],
        ['DeviceEnrolled', device]
      ]
    )
    assert.equal(
      (await types('mlscommit')).map(({ type, resource }): readonly unknown[] => [type, fields(resource).id]),
      [['MlsCommitPosted', sent]]
    )
    assert.is((await types('mlswelcome')).length, 1)
    assert.equal(records(succeeded(await world.by(as).get(`/changes?after=${start}`)), 'changes'), [])
  })

  test('a replay of the log comes to the same devices, commits and welcomes', async () => {
    const { storage, readEvents } = world.hub.hub.ledger
    const { equal, tables } = await verify(storage, readEvents, () => createHash('sha256'))
    assert.ok(equal)
    for (const name of ['devices', 'mlsCommits', 'mlsWelcomes'])
      assert.ok((tables.find(({ table }) => table === name)?.rows ?? 0) > 10, name)
  })

  test.run()
}
