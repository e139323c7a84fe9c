import { createHash, randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { verify } from '../../projections/verify.js'
import { fields, records } from './client.js'
import { usualDrivers } from './drivers.js'
import { deviceOf, encryption, enrolled, payloadFor } from './encryption.js'
import { hubSuite } from './hub-suite.js'
import { comment, exactly } from './shapes.js'
import type { Account } from './support.js'
import { everything, succeeded, type World } from './world.js'

const PLAIN = 'Plaintext discussion bodies are not accepted on this Team Hub. Encrypted payloads are required.'
const NO_DEVICE = 'Sender device is not enrolled on this Team Hub'

for (const driver of usualDrivers) {
  let world: World
  const test = hubSuite('encrypted discussions', driver, (made) => {
    world = made
  })

  /** A request in a collection of its own, on a hub whose discussions are encrypted. */
  const aThing = async (isEncrypted = true) => {
    await encryption(world, isEncrypted)
    const id = await world.request(await world.collection())
    return { id, on: `/requests/${id}/discussions`, group: `thread:request:${id}` }
  }
  const payload = async (group: string, more: object = {}, as: Account = world.owner) =>
    payloadFor(group, await deviceOf(world, as), more)
  const write = async (path: string, encryptedPayload: object, as: Account = world.owner) =>
    exactly(comment, succeeded(await world.by(as).post(path, { encryptedPayload })).body)

  test('the session tells whether discussions are encrypted, as the last reload has it', async () => {
    for (const isOn of [true, false, true]) {
      world.hub.reconfigure({ collaboration: { e2ee: isOn } })
      const reload = succeeded(await world.by(world.admin).post('/admin/config/reload'))
      const found = records(reload, 'sections').find(({ section }) => section === 'collaboration')
      assert.equal(found, { section: 'collaboration', status: 'reloaded' })
      const { capabilities } = fields(succeeded(await world.by(world.owner).get('/auth/session')).body)
      assert.is(fields(capabilities).discussionE2ee, isOn)
    }
    world.hub.reconfigure({ collaboration: { e2ee: 'yes' } })
    const refused = await world.by(world.admin).post('/admin/config/reload')
    assert.is(refused.status, 400)
    assert.match(refused.text, 'Must be true or false.')
    world.hub.reconfigure({ collaboration: { e2ee: true } })
    const same = succeeded(await world.by(world.admin).post('/admin/config/reload'))
    assert.is(records(same, 'sections').find(({ section }) => section === 'collaboration')?.status, 'unchanged')
  })

  test('a reload says nothing of it where the file has never named it, as older clients need it', async () => {
    await encryption(world, false)
    succeeded(await world.by(world.admin).post('/admin/config/reload'))
    const reload = succeeded(await world.by(world.admin).post('/admin/config/reload'))
    assert.equal(
      records(reload, 'sections').map(({ section }) => section),
      ['db', 'redis', 'llm', 'plugins', 'server']
    )
  })

  test('a comment is kept as it was encrypted, and shown with no text', async () => {
    const { on, group } = await aThing()
    const sent = await payload(group, { epoch: 3, commitRef: ' k1 ', welcomeRef: ' ', more: 'dropped' })
    const made = await write(on, sent)
    const { commitRef: _, welcomeRef: __, more: ___, ...rest } = { ...fields(sent) }
    assert.equal([made.body, made.bodyFormat, made.tombstoned], [null, 'encrypted', false])
    assert.equal(made.encryptedPayload, { ...rest, commitRef: 'k1' })
    const answer = await write(`/discussion-comments/${made.id}/replies`, await payload(group))
    assert.equal([answer.depth, answer.parentCommentId], [2, made.id])
    const list = records(succeeded(await world.by(world.colleague).get(on)), 'comments')
    assert.equal(new Set(list.map(({ id }) => id)), new Set([made.id, answer.id]))
    assert.equal(list.find(({ id }) => id === made.id)?.encryptedPayload, made.encryptedPayload)
  })

  test('an edit replaces what was encrypted, the same again changes nothing, and a retraction leaves nothing of it', async () => {
    const { on, group } = await aThing()
    const { id } = await write(on, await payload(group))
    const edit = async (more: object, as: Account = world.owner) =>
      world.by(as).put(`/discussion-comments/${id}`, { encryptedPayload: await payload(group, more, as) })
    const edited = exactly(comment, succeeded(await edit({ ciphertext: 'bmV3' })).body)
    assert.is(edited.encryptedPayload?.ciphertext, 'bmV3')
    const before = world.position()
    assert.equal(exactly(comment, succeeded(await edit({ ciphertext: 'bmV3' })).body), edited)
    assert.is(world.position(), before)
    await deviceOf(world, world.colleague)
    await world.refused(403, () => edit({}, world.colleague), 'You can only edit your own comments')
    const gone = exactly(comment, succeeded(await world.by(world.owner).delete(`/discussion-comments/${id}`)).body)
    assert.equal([gone.body, gone.encryptedPayload, gone.bodyFormat, gone.tombstoned], [null, null, 'encrypted', true])
  })

  test('a text, with or without something encrypted, is refused', async () => {
    const { on, group } = await aThing()
    const { id } = await write(on, await payload(group))
    for (const body of [{}, { body: 'Why?' }, { body: 'Why?', encryptedPayload: await payload(group) }, { body: '' }]) {
      await world.refused(400, () => world.by(world.owner).post(on, body), PLAIN)
      await world.refused(400, () => world.by(world.owner).post(`/discussion-comments/${id}/replies`, body), PLAIN)
      await world.refused(400, () => world.by(world.owner).put(`/discussion-comments/${id}`, body), PLAIN)
    }
  })

  test('what is not whole, of another discussion or of another device is refused, with a text that says so', async () => {
    const { on, group } = await aThing()
    const other = await aThing()
    const required = 'Encrypted discussion ciphertext is required'
    const noDevice = 'Sender device id must be a UUID v4 value'
    for (const [status, change, error] of [
      [400, { ciphertext: undefined }, required],
      [400, { ciphertext: ' \n' }, required],
      [400, { ciphertext: 7 }, required],
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
    for (const encryptedPayload of ['text', 7, [], true])
      await world.refused(400, () => world.by(world.owner).post(on, { encryptedPayload }))
    const largest = await payload(group, { ciphertext: 'x'.repeat(262_144) })
    assert.is((await write(on, largest)).encryptedPayload?.ciphertext.length, 262_144)
  })

  test('a device that is revoked writes nothing more, and what it has written stays', async () => {
    const { on, group } = await aThing()
    const as = await world.user(everything)
    const deviceId = randomUUID()
    const enrolment = await enrolled(world, deviceId, as)
    const encryptedPayload = payloadFor(group, deviceId)
    const { id } = await write(on, encryptedPayload, as)
    succeeded(await world.by(as).delete(`/devices/${enrolment}`))
    await world.refused(403, () => world.by(as).post(on, { encryptedPayload }), NO_DEVICE)
    assert.equal(
      records(succeeded(await world.by(world.owner).get(on)), 'comments').map((one) => one.id),
      [id]
    )
  })

  test('what is not there, or not for the caller to see, is told before what is wrong with a comment', async () => {
    const { on } = await aThing()
    const { post } = world.by(await world.user())
    await world.refused(403, () => post(on, { body: 'Why?' }), 'Forbidden')
    await world.refused(404, () => post(`/requests/${randomUUID()}/discussions`, {}), 'Target entity not found')
  })

  test('texts of before are not shown while discussions are encrypted, and what is encrypted stays so afterwards', async () => {
    const { on, group } = await aThing(false)
    const plain = exactly(comment, succeeded(await world.by(world.owner).post(on, { body: 'Why?' })).body)
    await encryption(world, true)
    const shown = async () => records(succeeded(await world.by(world.owner).get(on)), 'comments')
    const hidden = (await shown())[0]
    assert.equal([hidden?.body, hidden?.bodyFormat, hidden?.encryptedPayload], [null, 'plaintext', null])
    const made = await write(on, await payload(group))
    const again = { encryptedPayload: await payload(group) }
    const turned = succeeded(await world.by(world.owner).put(`/discussion-comments/${plain.id}`, again))
    assert.is(exactly(comment, turned.body).bodyFormat, 'encrypted')
    await encryption(world, false)
    assert.equal(
      (await shown()).map(({ body, bodyFormat }) => [body, bodyFormat]),
      [
        [null, 'encrypted'],
        [null, 'encrypted']
      ]
    )
    await world.refused(
      400,
      () => world.by(world.owner).post(on, again),
      'Encrypted discussion payloads are only accepted on E2EE-enabled Team Hubs'
    )
    const text = { body: 'In the open' }
    const open = succeeded(await world.by(world.owner).put(`/discussion-comments/${made.id}`, text))
    const { body, bodyFormat, encryptedPayload } = exactly(comment, open.body)
    assert.equal([body, bodyFormat, encryptedPayload], ['In the open', 'plaintext', null])
  })

  test('a replay of the log comes to the same comments', async () => {
    const { storage, readEvents } = world.hub.hub.ledger
    assert.ok((await verify(storage, readEvents, () => createHash('sha256'))).equal)
  })

  test.run()
}
