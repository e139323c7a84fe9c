import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { fields, holds, idsOf } from '../client.js'
import { deviceOf } from '../encryption.js'
import { type Row, refuses, works } from '../endpoint.js'
import { succeeded, type World } from '../world.js'
import { encrypted } from './devices.js'

const NO_DEVICE = 'Sender device is not enrolled on this Team Hub'
const NO_GROUP = 'Invalid MLS group id'
const NO_TARGET = 'Discussion target not found'
const NOT_BEGUN = 'MLS group state not found'

/** The group of a request in a collection of its own, and the access that opens it. */
async function aGroup(world: World) {
  const collectionId = await world.collection()
  const id = await world.request(collectionId)
  return { mlsGroupId: `thread:request:${id}`, scope: { collectionAccess: [collectionId] } }
}

async function aCommit(world: World) {
  const { mlsGroupId, scope } = await aGroup(world)
  return { scope, body: { mlsGroupId, epoch: 0, ciphertext: 'eyJ0Ijoi', senderDeviceId: await deviceOf(world) } }
}

async function aWelcome(world: World) {
  const { mlsGroupId, scope } = await aGroup(world)
  await deviceOf(world)
  const recipientDeviceId = await deviceOf(world, world.colleague)
  return { scope, body: { mlsGroupId, recipientDeviceId, ciphertext: 'V0VM', ratchetTree: 'VFJF' } }
}

/** A group with one commit. */
async function begun(world: World) {
  const { scope, body } = await aCommit(world)
  const made = fields(succeeded(await world.by(world.owner).post('/discussion-mls/commits', body)).body)
  return { scope, made, body, mlsGroupId: body.mlsGroupId }
}

const asking = (mlsGroupId: string, more = '') => `mlsGroupId=${encodeURIComponent(mlsGroupId)}${more}`
const aGroupAsked = async (world: World) => {
  const { scope, mlsGroupId } = await aGroup(world)
  return { scope, query: asking(mlsGroupId) }
}
const aGroupBegun = async (world: World) => {
  const { scope, mlsGroupId } = await begun(world)
  return { scope, params: { mlsGroupId: encodeURIComponent(mlsGroupId) } }
}
const withoutDevice = {
  matrix: { 'a user with this id': 403, 'a user with *': 403 },
  texts: { 'a user with this id': NO_DEVICE, 'a user with *': NO_DEVICE }
} as const

/** What no group is, where it is read; what decides on commands says the same of what is written. */
const asksRefused = [
  refuses(400, NO_GROUP, 'what is no group', { query: asking('thread:document:x') }),
  refuses(404, NO_TARGET, 'a group of nothing', { query: asking(`thread:folder:${randomUUID()}`) })
]
const statesRefused = [
  refuses(404, NOT_BEGUN, 'it has not begun', async (world) => ({
    params: { mlsGroupId: (await aGroup(world)).mlsGroupId }
  })),
  refuses(404, NO_TARGET, 'a group of nothing', { params: { mlsGroupId: `thread:collection:${randomUUID()}` } }),
  refuses(400, NO_GROUP, 'no group', { params: { mlsGroupId: 'thread:snippet:x' } })
]

/** What devices send each other for encrypted comments. */
export const mlsRows: readonly Row[] = encrypted([
  {
    row: 'POST /discussion-mls/commits',
    ...withoutDevice,
    sample: aCommit,
    cases: [
      works('the first of a group', {
        body: { ciphertext: ' eyJ0Ijoi\n' },
        check: ({ body }, sent) => holds(body, { ...fields(sent.body), ciphertext: 'eyJ0Ijoi' })
      }),
      refuses(400, 'MLS commit ciphertext is required', 'blanks', { body: { ciphertext: ' ' } }),
      refuses(400, null, 'NUL', { body: { ciphertext: 'a\0b' } })
    ]
  },
  {
    row: 'GET /discussion-mls/commits',
    sample: aGroupAsked,
    cases: [
      works('there is none', { check: ({ body }) => assert.equal(body, { commits: [] }) }),
      works('there is one, and an empty cursor is none', async (world) => {
        const { made, mlsGroupId } = await begun(world)
        return {
          query: asking(mlsGroupId, '&cursor='),
          check: ({ body }) => assert.equal(body, { commits: [made] })
        }
      }),
      ...asksRefused
    ]
  },
  {
    row: 'POST /discussion-mls/welcomes',
    ...withoutDevice,
    sample: aWelcome,
    cases: [
      works('for a device of somebody else', { check: ({ body }, sent) => holds(body, fields(sent.body)) }),
      refuses(400, null, 'a blank text', { body: { ciphertext: ' ' } })
    ]
  },
  {
    row: 'GET /discussion-mls/welcomes',
    sample: aGroupAsked,
    cases: [
      works('whose device it is for reads it, by its device too, and nobody else', async (world) => {
        const { body } = await aWelcome(world)
        const { id } = fields(succeeded(await world.by(world.owner).post('/discussion-mls/welcomes', body)).body)
        const read = async (as = world.colleague, device = '') => {
          const more = device === '' ? '' : `&recipientDeviceId=${device}`
          return idsOf(await world.by(as).get(`/discussion-mls/welcomes?${asking(body.mlsGroupId, more)}`), 'welcomes')
        }
        return {
          by: world.colleague,
          query: asking(body.mlsGroupId),
          check: async (reply) => {
            assert.equal(idsOf(reply, 'welcomes'), [id])
            assert.equal(await read(world.colleague, body.recipientDeviceId), [id])
            assert.equal(await read(world.colleague, randomUUID()), [])
            for (const device of ['', body.recipientDeviceId]) assert.equal(await read(world.owner, device), [])
          }
        }
      }),
      ...asksRefused
    ]
  },
  {
    row: 'GET /discussion-mls/group-state/:mlsGroupId',
    sample: aGroupBegun,
    cases: [
      works('it has begun', async (world) => {
        const { made, mlsGroupId } = await begun(world)
        const { createdAt } = made
        return {
          params: { mlsGroupId },
          check: ({ body }) => assert.equal(body, { mlsGroupId, currentEpoch: 0, createdAt, updatedAt: createdAt })
        }
      }),
      ...statesRefused
    ]
  },
  {
    row: 'DELETE /discussion-mls/group-state/:mlsGroupId',
    matrix: { 'a user without access': 403, ...withoutDevice.matrix },
    texts: withoutDevice.texts,
    sample: aGroupBegun,
    cases: [
      works('a member has it begin anew', async (world) => {
        const { mlsGroupId } = await begun(world)
        return {
          params: { mlsGroupId },
          check: async () => {
            const { body } = await world.by(world.owner).get(`/discussion-mls/commits?${asking(mlsGroupId)}`)
            assert.equal(body, { commits: [] })
          }
        }
      }),
      works('an administrator has it begin anew', { by: 'admin' })
    ]
  }
])
