import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { eachOf, fields, holds, records, text } from './client.js'
import { usualDrivers } from './drivers.js'
import { deviceOf, encryption, payloadFor } from './encryption.js'
import { hubSuite, replayedRows } from './hub-suite.js'
import type { Account } from './support.js'
import { succeeded } from './world.js'

const NO_DEVICE = 'Sender device is not enrolled on this Team Hub'
const REQUIRED = 'Encrypted discussion ciphertext is required'

for (const driver of usualDrivers) {
  const { test, world } = hubSuite('encrypted discussions', driver)

  /** A request in a collection of its own, on a hub whose discussions are encrypted. */
  const aThing = async (isEncrypted = true) => {
    await encryption(world, isEncrypted)
    const id = await world.request(await world.collection())
    return { id, on: `/requests/${id}/discussions`, group: `thread:request:${id}` }
  }
  const payload = async (group: string, more: object = {}, as: Account = world.owner) =>
    payloadFor(group, await deviceOf(world, as), more)
  const write = async (path: string, encryptedPayload: object, as: Account = world.owner) =>
    fields(succeeded(await world.by(as).post(path, { encryptedPayload })).body)
  const listed = async (on: string) => records(succeeded(await world.by(world.owner).get(on)), 'comments')
  const reload = () => world.by(world.admin).post('/admin/config/reload')

  test('the session tells whether discussions are encrypted, as the last reload has it', async () => {
    const told = async () =>
      records(succeeded(await reload()), 'sections').find(({ section }) => section === 'collaboration')
    for (const isOn of [true, false, true]) {
      world.hub.reconfigure({ collaboration: { e2ee: isOn } })
      assert.equal(await told(), { section: 'collaboration', status: 'reloaded' })
      const { capabilities } = fields(succeeded(await world.by(world.owner).get('/auth/session')).body)
      holds(capabilities, { discussionE2ee: isOn })
    }
    world.hub.reconfigure({ collaboration: { e2ee: 'yes' } })
    const refused = await reload()
    assert.is(refused.status, 400)
    assert.match(refused.text, 'Must be true or false.')
    world.hub.reconfigure({ collaboration: { e2ee: true } })
    holds(await told(), { status: 'unchanged' })
  })

  test('a comment is kept as it was encrypted, and shown with no text', async () => {
    const { on, group } = await aThing()
    const sent = await payload(group, { epoch: 3, commitRef: ' k1 ', welcomeRef: ' ', more: 'dropped' })
    const made = await write(on, sent)
    const { commitRef: _, welcomeRef: __, more: ___, ...rest } = { ...fields(sent) }
    const encryptedPayload = { ...rest, commitRef: 'k1' }
    holds(made, { body: null, bodyFormat: 'encrypted', tombstoned: false, encryptedPayload })
    const answer = await write(`/discussion-comments/${made.id}/replies`, await payload(group))
    holds(answer, { depth: 2, parentCommentId: made.id })
    const list = await listed(on)
    assert.equal(new Set(list.map(({ id }) => id)), new Set([made.id, answer.id]))
    holds(
      list.find(({ id }) => id === made.id),
      { encryptedPayload }
    )
  })

  test('a thread is resolved and reopened without a word, and so by whoever has no device', async () => {
    const { on, group } = await aThing()
    const made = await write(on, await payload(group))
    const settle = async (how: string) =>
      fields(succeeded(await world.by(world.colleague).post(`/discussion-threads/${made.id}/${how}`)).body)
    const { resolvedAt, resolvedBy, ...rest } = await settle('resolve')
    assert.equal(rest, made)
    holds(resolvedBy, { id: world.colleague.id })
    assert.equal(eachOf(await listed(on), 'resolvedAt'), [resolvedAt])
    assert.equal(await settle('reopen'), made)
  })

  test('an edit replaces what was encrypted, the same again changes nothing, and a retraction leaves nothing of it', async () => {
    const { on, group } = await aThing()
    const path = `/discussion-comments/${(await write(on, await payload(group))).id}`
    const encryptedPayload = await payload(group, { ciphertext: 'bmV3' })
    const edit = async () => succeeded(await world.by(world.owner).put(path, { encryptedPayload })).body
    const edited = await edit()
    holds(edited, { encryptedPayload })
    const before = world.position()
    assert.equal(await edit(), edited)
    assert.is(world.position(), before)
    const gone = { body: null, encryptedPayload: null, bodyFormat: 'encrypted', tombstoned: true }
    holds((await world.by(world.owner).delete(path)).body, gone)
  })

  test('what is not whole, of another discussion or of another device is refused, with a text that says so', async () => {
    const { on, group } = await aThing()
    const other = await aThing()
    const noDevice = 'Sender device id must be a UUID v4 value'
    for (const [status, change, error] of [
      [400, { ciphertext: undefined }, REQUIRED],
      [400, { ciphertext: ' \n' }, REQUIRED],
      [400, { ciphertext: 7 }, REQUIRED],
      [400, { ciphertext: 'x'.repeat(262_145) }, 'Encrypted discussion ciphertext is too large'],
      [400, { ciphertext: 'a\0b' }, null],
      [400, { mlsGroupId: ' ' }, 'MLS group id is required'],
      [400, { mlsGroupId: undefined }, 'MLS group id is required'],
      [400, { mlsGroupId: other.group }, 'MLS group id must be that of what is discussed.'],
      [400, { epoch: -1 }, null],
      [400, { epoch: 2 ** 31 }, null],
      [400, { epoch: '0' }, null],
      [400, { senderDeviceId: 'x' }, noDevice],
      [400, { senderDeviceId: '0b6e7a3c-1f6f-1a53-9d0e-3f2b8b1c9d10' }, noDevice],
      [400, { keyFormat: 'pgp' }, null],
      [400, { commitRef: 'two words' }, null],
      [403, { senderDeviceId: randomUUID() }, NO_DEVICE],
      [403, { senderDeviceId: await deviceOf(world, world.colleague) }, NO_DEVICE]
    ] as const) {
      const encryptedPayload = await payload(group, change)
      await world.refused(status, () => world.by(world.owner).post(on, { encryptedPayload }), error)
    }
    const ciphertext = 'x'.repeat(262_144)
    holds((await write(on, await payload(group, { ciphertext }))).encryptedPayload, { ciphertext })
    const stranger = world.by(await world.user())
    await world.refused(403, () => stranger.post(on, { body: 'Why?' }), 'Forbidden')
  })

  test('texts of before are not shown while discussions are encrypted, and what is encrypted stays so afterwards', async () => {
    const { on, group } = await aThing(false)
    const { post, put } = world.by(world.owner)
    const plain = succeeded(await post(on, { body: 'Why?' })).body
    await encryption(world, true)
    holds((await listed(on))[0], { body: null, bodyFormat: 'plaintext', encryptedPayload: null })
    const made = await write(on, await payload(group))
    const again = { encryptedPayload: await payload(group) }
    const turned = await put(`/discussion-comments/${text(plain, 'id')}`, again)
    holds(turned.body, { bodyFormat: 'encrypted' })
    await encryption(world, false)
    for (const one of await listed(on)) holds(one, { body: null, bodyFormat: 'encrypted' })
    const refusal = 'Encrypted discussion payloads are only accepted on E2EE-enabled Team Hubs'
    await world.refused(400, () => post(on, again), refusal)
    const open = { body: 'In the open', bodyFormat: 'plaintext', encryptedPayload: null }
    holds((await put(`/discussion-comments/${made.id}`, { body: 'In the open' })).body, open)
  })

  test('a replay of the log comes to the same comments', () => replayedRows(world))

  test.run()
}
