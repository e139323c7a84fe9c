import { createHash, randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { verify } from '../../projections/verify.js'
import { mlsCommit, mlsCommitPage, mlsGroupState } from './deviceShapes.js'
import { usualDrivers } from './drivers.js'
import { aDevice, deviceOf, enrolled } from './encryption.js'
import { hubSuite } from './hub-suite.js'
import { exactly } from './shapes.js'
import type { Account } from './support.js'
import { everything, statusOf, succeeded, type World } from './world.js'

const NO_DEVICE = 'Sender device is not enrolled on this Team Hub'
const NO_TARGET = 'Discussion target not found'

for (const driver of usualDrivers) {
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
    return { id, mlsGroupId: `thread:request:${id}` }
  }
  const by = (one: Account) => world.client(one).request
  const enrol = (as: Account, body = aDevice()) => by(as)('POST', '/devices', { body })
  const revoke = (as: Account, id: string) => by(as)('DELETE', '/devices/{id}', { path: { id } })
  const commit = async (mlsGroupId: string, epoch: number, ciphertext = 'eyJ0Ijoi', as: Account = world.owner) =>
    by(as)('POST', '/discussion-mls/commits', {
      body: { mlsGroupId, epoch, ciphertext, senderDeviceId: await deviceOf(world, as) }
    })
  const welcome = (mlsGroupId: string, recipientDeviceId: string, as: Account = world.owner, secret = 'V0VM') =>
    by(as)('POST', '/discussion-mls/welcomes', {
      body: { mlsGroupId, recipientDeviceId, ciphertext: secret, ratchetTree: 'VFJF' }
    })
  const commitsOf = async (as: Account, query: { mlsGroupId: string; limit?: number; cursor?: string }) =>
    exactly(mlsCommitPage, (await by(as)('GET', '/discussion-mls/commits', { query })).body)
  const welcomesOf = async (as: Account, query: { mlsGroupId: string; recipientDeviceId?: string }) =>
    (await by(as)('GET', '/discussion-mls/welcomes', { query })).body.welcomes
  const stateOf = (as: Account, mlsGroupId: string) =>
    by(as)('GET', '/discussion-mls/group-state/{mlsGroupId}', { path: { mlsGroupId } })
  const restart = (as: Account, mlsGroupId: string) =>
    by(as)('DELETE', '/discussion-mls/group-state/{mlsGroupId}', { path: { mlsGroupId } })
  const userGone = (as: Account) => by(world.admin)('DELETE', '/admin/users/{id}', { path: { id: as.id } })

  test('an account has 50 devices, and of those that are revoked the oldest makes room for another', async () => {
    const as = await world.user()
    const ids: string[] = []
    for (let i = 0; i < 50; i++) ids.push(await enrolled(world, randomUUID(), as))
    const more = () => enrol(as)
    await world.denied(
      409,
      more,
      'There are 50 devices of this account, and no more are allowed. Revoke some of them first.'
    )
    const [first = '', second = ''] = ids
    for (const id of [second, first]) await revoke(as, id)
    await more()
    const left = new Set((await by(as)('GET', '/devices')).body.devices.map(({ id }) => id))
    assert.is(left.size, 50)
    assert.equal([left.has(first), left.has(second)], [false, true])
    await more()
    await world.denied(409, more)
  })

  test('of many enrolments of one device at once, one is carried out', async () => {
    const as = await world.user()
    const body = aDevice()
    const statuses = await Promise.all(Array.from({ length: 8 }, () => statusOf(enrol(as, body))))
    assert.equal(statuses.toSorted(), [201, ...Array(7).fill(409)])
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
    await userGone(as)
    const all = (await by(world.admin)('GET', '/admin/device-keys')).body.devices
    assert.not.ok(all.some(({ id }) => id === made))
    const send = by(world.admin)
    const gone = () => send('DELETE', '/admin/device-keys/{id}', { path: { id: made } })
    await world.denied(404, gone, 'Device not found')
    const ofNobody = () => send('GET', '/admin/users/{id}/devices', { path: { id: as.id } })
    await world.denied(404, ofNobody, 'User not found')
  })

  test('of many commits for one epoch at once, one is taken; epochs only grow, by a small step', async () => {
    const { mlsGroupId } = await aGroup()
    await deviceOf(world)
    const statuses = await Promise.all(Array.from({ length: 8 }, (_, i) => statusOf(commit(mlsGroupId, 0, `no ${i}`))))
    assert.equal(statuses.toSorted(), [201, ...Array(7).fill(409)])
    const state = async () => exactly(mlsGroupState, (await stateOf(world.colleague, mlsGroupId)).body)
    const { createdAt, updatedAt } = await state()
    assert.is(createdAt, updatedAt)
    const last = exactly(mlsCommit, (await commit(mlsGroupId, 5)).body)
    for (const epoch of [0, 3, 5, 16, 2 ** 31 - 1]) await world.denied(409, () => commit(mlsGroupId, epoch))
    assert.equal(await state(), { mlsGroupId, currentEpoch: 5, createdAt, updatedAt: last.createdAt })
    await commit(mlsGroupId, 15)
    const { commits } = await commitsOf(world.colleague, { mlsGroupId })
    assert.equal(
      commits.map(({ epoch }) => epoch),
      [0, 5, 15]
    )
  })

  test('commits come in pages, each behind the epoch that the one before has ended with', async () => {
    const { mlsGroupId } = await aGroup()
    for (let epoch = 0; epoch < 7; epoch++) await commit(mlsGroupId, epoch)
    const pages: (readonly number[])[] = []
    for (let cursor = ''; pages.length < 10; ) {
      const page = await commitsOf(world.owner, { mlsGroupId, limit: 3, cursor })
      pages.push(page.commits.map(({ epoch }) => epoch))
      if (page.nextCursor === undefined) break
      cursor = page.nextCursor
      assert.is(cursor, String(pages.at(-1)?.at(-1)))
    }
    assert.equal(pages, [[0, 1, 2], [3, 4, 5], [6]])
  })

  test('commits of the largest size come in pages no larger than a page may be', async () => {
    const { mlsGroupId } = await aGroup()
    for (let epoch = 0; epoch < 18; epoch++) await commit(mlsGroupId, epoch, 'x'.repeat(262_144))
    const epochs: number[] = []
    for (let cursor = '', reads = 0; ; reads++) {
      const page = await commitsOf(world.owner, { mlsGroupId, cursor })
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
    const { mlsGroupId } = await aGroup()
    const deviceId = randomUUID()
    const [first, later] = [await world.user(everything), await world.user(everything)]
    await enrolled(world, deviceId, first)
    await enrolled(world, deviceId, later)
    const made = (await welcome(mlsGroupId, deviceId)).body
    for (const query of [{ mlsGroupId }, { mlsGroupId, recipientDeviceId: deviceId }]) {
      assert.equal(await welcomesOf(first, query), [made])
      for (const as of [later, world.owner]) assert.equal(await welcomesOf(as, query), [])
    }
  })

  test('an account without an active device sends neither commits nor welcomes', async () => {
    const { mlsGroupId } = await aGroup()
    const as = await world.user(everything)
    const recipient = await deviceOf(world, world.colleague)
    await world.denied(403, () => welcome(mlsGroupId, recipient, as), NO_DEVICE)
    const deviceId = randomUUID()
    const id = await enrolled(world, deviceId, as)
    await welcome(mlsGroupId, recipient, as)
    await revoke(as, id)
    await world.denied(403, () => welcome(mlsGroupId, recipient, as), NO_DEVICE)
    const body = { mlsGroupId, epoch: 0, ciphertext: 'x', senderDeviceId: deviceId }
    await world.denied(403, () => by(as)('POST', '/discussion-mls/commits', { body }), NO_DEVICE)
    await world.denied(404, () => welcome(mlsGroupId, deviceId), 'Recipient device not found')
  })

  test('a group that was taken to its last epochs, and a box that was filled, are as new when the group begins anew', async () => {
    const { mlsGroupId } = await aGroup()
    const { colleague, owner } = world
    const device = await deviceOf(world, owner)
    const eve = await world.user(everything)
    for (let epoch = 9; epoch < 100; epoch += 10) await commit(mlsGroupId, epoch, 'noise', eve)
    for (let i = 0; i < 5; i++) await welcome(mlsGroupId, device, eve, 'noise')
    await world.denied(409, () => welcome(mlsGroupId, device, eve, 'noise'))
    await userGone(eve)
    await deviceOf(world, colleague)
    await welcome(mlsGroupId, device, colleague)
    await world.denied(409, () => commit(mlsGroupId, 0))
    for (const as of [colleague, world.admin]) {
      await restart(as, mlsGroupId)
      for (const read of [() => stateOf(owner, mlsGroupId), () => restart(as, mlsGroupId)])
        await world.denied(404, read, 'MLS group state not found')
      assert.equal(await commitsOf(owner, { mlsGroupId }), { commits: [] })
      assert.equal(await welcomesOf(owner, { mlsGroupId }), [])
      const first = exactly(mlsCommit, (await commit(mlsGroupId, 0)).body)
      assert.equal(await commitsOf(colleague, { mlsGroupId }), { commits: [first] })
      const { createdAt } = first
      const state = { mlsGroupId, currentEpoch: 0, createdAt, updatedAt: createdAt }
      assert.equal((await stateOf(colleague, mlsGroupId)).body, state)
    }
    const { entries } = (await by(world.admin)('GET', '/admin/audit', { query: { type: 'MlsGroupRestarted' } })).body
    assert.equal(
      entries.slice(0, 2).map(({ actor }) => actor.id),
      [world.admin.id, colleague.id]
    )
  })

  test('the largest welcomes are read by the device that they are for', async () => {
    const { mlsGroupId } = await aGroup()
    const as = await world.user(everything)
    const recipientDeviceId = await deviceOf(world, as)
    for (const from of [world.owner, world.colleague]) await deviceOf(world, from)
    const [ciphertext, ratchetTree] = ['c'.repeat(262_144), 'r'.repeat(262_144)]
    const body = { mlsGroupId, recipientDeviceId, ciphertext, ratchetTree }
    for (const from of [world.owner, world.colleague])
      for (let i = 0; i < 5; i++) await by(from)('POST', '/discussion-mls/welcomes', { body })
    const all = await welcomesOf(as, { mlsGroupId })
    assert.is(all.length, 10)
    assert.ok(all.every((one) => one.ratchetTree.length === 262_144))
  })

  test('what devices have sent goes out of sight with what is discussed, and comes back with it', async () => {
    const { id, mlsGroupId } = await aGroup()
    const { colleague, owner } = world
    await commit(mlsGroupId, 0)
    await welcome(mlsGroupId, await deviceOf(world, colleague))
    const reads = [
      () => commitsOf(colleague, { mlsGroupId }),
      () => welcomesOf(colleague, { mlsGroupId }),
      async () => (await stateOf(colleague, mlsGroupId)).body
    ]
    const seen = () => Promise.all(reads.map((read): Promise<unknown> => read()))
    const before = await seen()
    await by(owner)('DELETE', '/requests/{id}', { path: { id } })
    for (const read of reads) await world.denied(404, read, NO_TARGET)
    await world.denied(404, () => commit(mlsGroupId, 1), NO_TARGET)
    await by(owner)('POST', '/undelete', { body: { kind: 'request', id } })
    assert.equal(await seen(), before)
  })

  test('the audit log tells of devices and of what they send, and the feed tells users nothing of it', async () => {
    const { mlsGroupId } = await aGroup()
    const as = await world.user(everything)
    const start = world.position()
    const device = await enrolled(world, randomUUID(), as)
    const { id: sent } = exactly(mlsCommit, (await commit(mlsGroupId, 0, 'x', as)).body)
    await welcome(mlsGroupId, await deviceOf(world, as), as)
    await revoke(as, device)
    const types = async (kind: 'device' | 'mlscommit' | 'mlswelcome') => {
      const page = await by(world.admin)('GET', '/admin/audit', { query: { kind, limit: 50 } })
      return page.body.entries.filter(({ position }) => position > start)
    }
    assert.equal(
      (await types('device')).map(({ type, resource }) => [type, resource.id]),
      [
        ['DeviceRevoked', device],
        ['DeviceEnrolled', device]
      ]
    )
    assert.equal(
      (await types('mlscommit')).map(({ type, resource }) => [type, resource.id]),
      [['MlsCommitPosted', sent]]
    )
    assert.is((await types('mlswelcome')).length, 1)
    const { changes } = (await by(as)('GET', '/changes', { query: { after: String(start) } })).body
    assert.equal(changes, [])
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
