import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { usualDrivers } from './drivers.js'
import { aDevice, deviceOf, enrolled } from './encryption.js'
import { hubSuite, replayedRows } from './hub-suite.js'
import type { Account } from './support.js'
import { everything, statusOf, succeeded } from './world.js'

const NO_TARGET = 'Discussion target not found'
const LARGEST = 'x'.repeat(262_144)

// Who may send what, and how far a group goes, is in test/decide/device.test.ts and test/decide/mls.test.ts.
for (const driver of usualDrivers) {
  const { test, world } = hubSuite('devices, and what they send each other', driver, {
    config: { collaboration: { e2ee: true } }
  })

  /** The group of a request in a collection of its own. */
  const aGroup = async () => {
    const id = await world.request(await world.collection())
    return { id, mlsGroupId: `thread:request:${id}` }
  }
  const by = (one: Account) => world.client(one).request
  const commit = async (mlsGroupId: string, epoch: number, ciphertext = 'eyJ0Ijoi', as: Account = world.owner) =>
    by(as)('POST', '/discussion-mls/commits', {
      body: { mlsGroupId, epoch, ciphertext, senderDeviceId: await deviceOf(world, as) }
    })
  const welcome = (mlsGroupId: string, recipientDeviceId: string, as: Account = world.owner, secret = 'V0VM') =>
    by(as)('POST', '/discussion-mls/welcomes', {
      body: { mlsGroupId, recipientDeviceId, ciphertext: secret, ratchetTree: secret }
    })
  const commitsOf = async (as: Account, query: { mlsGroupId: string; limit?: number; cursor?: string }) =>
    (await by(as)('GET', '/discussion-mls/commits', { query })).body
  const welcomesOf = async (as: Account, query: { mlsGroupId: string; recipientDeviceId?: string }) =>
    (await by(as)('GET', '/discussion-mls/welcomes', { query })).body.welcomes
  const stateOf = async (as: Account, mlsGroupId: string) =>
    (await by(as)('GET', '/discussion-mls/group-state/{mlsGroupId}', { path: { mlsGroupId } })).body

  /** The epochs of all pages of commits. */
  const pagesOf = async (mlsGroupId: string, limit = 100) => {
    const pages: (readonly number[])[] = []
    for (let cursor = ''; pages.length < 20; ) {
      const page = await commitsOf(world.owner, { mlsGroupId, limit, cursor })
      pages.push(page.commits.map(({ epoch }) => epoch))
      if (page.nextCursor === undefined) return pages
      cursor = page.nextCursor
      assert.is(cursor, String(pages.at(-1)?.at(-1)))
    }
    throw new Error('The pages have no end.')
  }

  test('of many enrolments of one device, and of many commits for one epoch, at once one is carried out', async () => {
    const [as, body] = [await world.user(), aDevice()]
    const { mlsGroupId } = await aGroup()
    await deviceOf(world)
    const once = [201, ...Array(7).fill(409)]
    const eight = (ask: (i: number) => Promise<{ status: number }>) =>
      Promise.all(Array.from({ length: 8 }, (_, i) => statusOf(ask(i))))
    assert.equal((await eight(() => by(as)('POST', '/devices', { body }))).toSorted(), once)
    assert.equal((await eight((i) => commit(mlsGroupId, 0, `no ${i}`))).toSorted(), once)
  })

  test('repeated under one key, an enrolment and a commit are carried out once, and answered as they were', async () => {
    const as = await world.user(everything)
    const { mlsGroupId } = await aGroup()
    const device = aDevice()
    const sent = { mlsGroupId, epoch: 0, ciphertext: 'x', senderDeviceId: device.deviceId }
    for (const [path, body] of [
      ['/devices', device],
      ['/discussion-mls/commits', sent]
    ] as const) {
      const key = { 'idempotency-key': randomUUID() }
      const first = succeeded(await world.by(as).post(path, body, key))
      assert.equal((await world.by(as).post(path, body, key)).text, first.text)
    }
  })

  test('the state of a group is that of its newest commit', async () => {
    const { mlsGroupId } = await aGroup()
    const { createdAt } = (await commit(mlsGroupId, 0)).body
    const last = (await commit(mlsGroupId, 5)).body
    assert.equal(await stateOf(world.colleague, mlsGroupId), {
      ...{ mlsGroupId, currentEpoch: 5, createdAt, updatedAt: last.createdAt }
    })
  })

  test('commits come in pages, each behind the epoch that the one before has ended with, none larger than a page may be', async () => {
    const { mlsGroupId } = await aGroup()
    for (let epoch = 0; epoch < 18; epoch++) await commit(mlsGroupId, epoch, LARGEST)
    const all = [...Array(18).keys()]
    assert.equal(await pagesOf(mlsGroupId, 7), [all.slice(0, 7), all.slice(7, 14), all.slice(14)])
    const large = await pagesOf(mlsGroupId)
    assert.equal(large.flat(), all)
    assert.ok(large.length > 1)
  })

  test('a welcome is for the account whose device was there first, however large it is', async () => {
    const { mlsGroupId } = await aGroup()
    const deviceId = randomUUID()
    const [first, later] = [await world.user(everything), await world.user(everything)]
    for (const as of [first, later]) await enrolled(world, deviceId, as)
    for (const from of [world.owner, world.colleague]) {
      await deviceOf(world, from)
      for (let i = 0; i < 5; i++) await welcome(mlsGroupId, deviceId, from, LARGEST)
    }
    for (const query of [{ mlsGroupId }, { mlsGroupId, recipientDeviceId: deviceId }]) {
      const all = await welcomesOf(first, query)
      assert.is(all.length, 10)
      assert.ok(all.every(({ ratchetTree }) => ratchetTree === LARGEST))
      for (const as of [later, world.owner]) assert.equal(await welcomesOf(as, query), [])
    }
  })

  test('a group that is begun anew is as a new one, and the log tells who has it begin so', async () => {
    const { mlsGroupId } = await aGroup()
    const { colleague, owner, admin } = world
    for (const as of [owner, colleague]) await deviceOf(world, as)
    await commit(mlsGroupId, 9)
    await welcome(mlsGroupId, await deviceOf(world, owner), colleague)
    for (const as of [colleague, admin]) {
      await by(as)('DELETE', '/discussion-mls/group-state/{mlsGroupId}', { path: { mlsGroupId } })
      await world.denied(404, () => stateOf(owner, mlsGroupId), 'MLS group state not found')
      assert.equal(await commitsOf(owner, { mlsGroupId }), { commits: [] })
      assert.equal(await welcomesOf(owner, { mlsGroupId }), [])
      const first = (await commit(mlsGroupId, 0)).body
      assert.equal(await commitsOf(colleague, { mlsGroupId }), { commits: [first] })
    }
    const { entries } = (await by(admin)('GET', '/admin/audit', { query: { type: 'MlsGroupRestarted', limit: 2 } }))
      .body
    assert.equal(
      entries.map(({ actor }) => actor.id),
      [admin.id, colleague.id]
    )
  })

  test('what devices have sent goes out of sight with what is discussed, and comes back with it', async () => {
    const { id, mlsGroupId } = await aGroup()
    const { colleague, owner } = world
    await commit(mlsGroupId, 0)
    await welcome(mlsGroupId, await deviceOf(world, colleague))
    const reads: readonly (() => Promise<unknown>)[] = [
      () => commitsOf(colleague, { mlsGroupId }),
      () => welcomesOf(colleague, { mlsGroupId }),
      () => stateOf(colleague, mlsGroupId)
    ]
    const seen = () => Promise.all(reads.map((read) => read()))
    const before = await seen()
    await by(owner)('DELETE', '/requests/{id}', { path: { id } })
    for (const read of reads) await world.denied(404, read, NO_TARGET)
    await by(owner)('POST', '/undelete', { body: { kind: 'request', id } })
    assert.equal(await seen(), before)
  })

  test('the audit log tells of devices and of what they send, and the feed tells users nothing of it', async () => {
    const { mlsGroupId } = await aGroup()
    const as = await world.user(everything)
    const start = world.position()
    const device = await enrolled(world, randomUUID(), as)
    const { id: sent } = (await commit(mlsGroupId, 0, 'x', as)).body
    const { id: greeting } = (await welcome(mlsGroupId, await deviceOf(world, as), as)).body
    await by(as)('DELETE', '/devices/{id}', { path: { id: device } })
    const told = async (kind: 'device' | 'mlscommit' | 'mlswelcome') => {
      const { entries } = (await by(world.admin)('GET', '/admin/audit', { query: { kind, limit: 2 } })).body
      return entries.flatMap(({ position, type, resource }) => (position > start ? [[type, resource.id]] : []))
    }
    assert.equal(await told('device'), [
      ['DeviceRevoked', device],
      ['DeviceEnrolled', device]
    ])
    assert.equal(await told('mlscommit'), [['MlsCommitPosted', sent]])
    assert.equal(
      (await told('mlswelcome')).map(([, id]) => id),
      [greeting]
    )
    const { changes } = (await by(as)('GET', '/changes', { query: { after: String(start) } })).body
    assert.equal(changes, [])
  })

  test('a replay of the log comes to the same devices, commits and welcomes', async () => {
    const rows = await replayedRows(world)
    for (const name of ['devices', 'mlsCommits', 'mlsWelcomes']) assert.ok((rows[name] ?? 0) > 4, name)
  })

  test.run()
}
