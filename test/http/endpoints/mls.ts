import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { text } from '../client.js'
import { mlsCommit, mlsCommitPage, mlsGroupState, mlsWelcome } from '../deviceShapes.js'
import { deviceOf } from '../encryption.js'
import { type Endpoint, refuses, works } from '../endpoint.js'
import { exactly, listOf } from '../shapes.js'
import { succeeded, type World } from '../world.js'
import { encrypted } from './devices.js'

const NO_DEVICE = 'Sender device is not enrolled on this Team Hub'
const NO_GROUP = 'Invalid MLS group id'
const NO_TARGET = 'Discussion target not found'

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
  const made = exactly(mlsCommit, succeeded(await world.by(world.owner).post('/discussion-mls/commits', body)).body)
  return { scope, made, mlsGroupId: body.mlsGroupId }
}

const asking = (mlsGroupId: string, more = '') => `mlsGroupId=${encodeURIComponent(mlsGroupId)}${more}`
const withoutDevice = {
  matrix: { 'a user with this id': 403, 'a user with *': 403 },
  texts: { 'a user with this id': NO_DEVICE, 'a user with *': NO_DEVICE }
} as const

/** An id as others make them, of another version than those of devices. */
const TIMED_ID = '0b6e7a3c-1f6f-1a53-9d0e-3f2b8b1c9d10'

const WRONG_GROUPS = ['thread:document:x', 'thread:request:', 'request:x', 'thread:Request:x', 'thread:request:a b']

/** What no group is, in a body that is right otherwise. */
const groupsRefused = (make: (world: World) => Promise<{ readonly body: object }>) => [
  ...WRONG_GROUPS.map((mlsGroupId) =>
    refuses(400, NO_GROUP, `the group ${mlsGroupId}`, async (world) => ({
      body: { ...(await make(world)).body, mlsGroupId }
    }))
  ),
  refuses(404, NO_TARGET, 'a group of nothing', async (world) => ({
    body: { ...(await make(world)).body, mlsGroupId: `thread:request:${randomUUID()}` }
  })),
  refuses(403, 'Forbidden', 'a group of what the caller may not see', async (world) => ({
    body: (await make(world)).body,
    by: await world.user()
  }))
]
const asksRefused = [
  refuses(400, null, 'no group', () => ({ query: '' })),
  ...WRONG_GROUPS.map((group) => refuses(400, NO_GROUP, `the group ${group}`, () => ({ query: asking(group) }))),
  refuses(404, NO_TARGET, 'a group of nothing', () => ({ query: asking(`thread:folder:${randomUUID()}`) }))
]
/** Fields that are wrong, in a body that is right otherwise. */
const changed = (
  make: (world: World) => Promise<{ readonly body: object }>,
  when: string,
  change: object,
  error?: string
) => refuses(400, error ?? null, when, async (world) => ({ body: { ...(await make(world)).body, ...change } }))

/** What devices send each other for encrypted comments. */
export const mlsEndpoints: readonly Endpoint[] = encrypted([
  {
    row: 'POST /discussion-mls/commits',
    access: 'user',
    success: 201,
    refusals: [400, 403, 404, 409],
    ...withoutDevice,
    sample: aCommit,
    cases: [
      works('the first of a group', async (world) => {
        const { body } = await aCommit(world)
        return {
          body: { ...body, ciphertext: ' eyJ0Ijoi\n' },
          check: (reply) => {
            const { id: _, createdAt: __, ...made } = exactly(mlsCommit, reply.body)
            assert.equal(made, body)
          }
        }
      }),
      works('the last epoch that a first commit may be for', async (world) => {
        const { body } = await aCommit(world)
        return { body: { ...body, epoch: 9 } }
      }),
      refuses(
        409,
        'A commit takes an MLS group 10 epochs on at most, this one to epoch 9. Read its commits, then send one for the next epoch.',
        'the highest epoch that there is',
        async (world) => {
          const { body } = await aCommit(world)
          return { body: { ...body, epoch: 2 ** 31 - 1 } }
        }
      ),
      refuses(
        409,
        'The MLS group is at epoch 0. Read its commits, then send one for a later epoch.',
        'the group is at this epoch',
        async (world) => {
          const { made, mlsGroupId } = await begun(world)
          const { ciphertext, epoch, senderDeviceId } = made
          return { body: { mlsGroupId, epoch, ciphertext, senderDeviceId } }
        }
      ),
      refuses(403, NO_DEVICE, 'a device of somebody else', async (world) => {
        const { body } = await aCommit(world)
        return { body: { ...body, senderDeviceId: await deviceOf(world, world.colleague) } }
      }),
      ...groupsRefused(aCommit),
      changed(aCommit, 'no text', { ciphertext: undefined }),
      changed(aCommit, 'blanks', { ciphertext: ' ' }, 'MLS commit ciphertext is required'),
      changed(aCommit, 'NUL', { ciphertext: 'a\0b' }),
      changed(aCommit, 'more than 262144 characters', { ciphertext: 'x'.repeat(262_145) }),
      changed(aCommit, 'an epoch below 0', { epoch: -1 }),
      changed(aCommit, 'an epoch that is too high', { epoch: 2 ** 31 }),
      changed(aCommit, 'half an epoch', { epoch: 0.5 }),
      ...['x', TIMED_ID].map((senderDeviceId) => changed(aCommit, `the device ${senderDeviceId}`, { senderDeviceId }))
    ]
  },
  {
    row: 'GET /discussion-mls/commits',
    access: 'user',
    success: 200,
    refusals: [400, 403, 404],
    sample: async (world) => {
      const { scope, mlsGroupId } = await aGroup(world)
      return { scope, query: asking(mlsGroupId) }
    },
    cases: [
      works('there is none', async (world) => ({
        query: asking((await aGroup(world)).mlsGroupId),
        check: ({ body }) => assert.equal(body, { commits: [] })
      })),
      works('there is one, and an empty cursor is none', async (world) => {
        const { made, mlsGroupId } = await begun(world)
        return {
          query: asking(mlsGroupId, '&cursor='),
          check: ({ body }) => assert.equal(exactly(mlsCommitPage, body), { commits: [made] })
        }
      }),
      works('nothing is behind the last one', async (world) => {
        const { mlsGroupId } = await begun(world)
        return { query: asking(mlsGroupId, '&cursor=0'), check: ({ body }) => assert.equal(body, { commits: [] }) }
      }),
      ...asksRefused,
      ...['limit=0', 'limit=101', 'cursor=x', 'cursor=-1', 'cursor=99999999999'].map((query) =>
        refuses(400, null, query, async (world) => ({ query: asking((await aGroup(world)).mlsGroupId, `&${query}`) }))
      )
    ]
  },
  {
    row: 'POST /discussion-mls/welcomes',
    access: 'user',
    success: 201,
    refusals: [400, 403, 404, 409],
    ...withoutDevice,
    sample: aWelcome,
    cases: [
      works('for a device of somebody else', async (world) => {
        const { body } = await aWelcome(world)
        return {
          body,
          check: (reply) => {
            const { id: _, createdAt: __, ...made } = exactly(mlsWelcome, reply.body)
            assert.equal(made, body)
          }
        }
      }),
      refuses(404, 'Recipient device not found', 'a device that nobody has enrolled', async (world) => {
        const { body } = await aWelcome(world)
        return { body: { ...body, recipientDeviceId: randomUUID() } }
      }),
      refuses(
        409,
        'You have sent 5 welcomes for this device in this MLS group, and no more are allowed.',
        'the sender has filled their share',
        async (world) => {
          const { body } = await aWelcome(world)
          for (let i = 0; i < 5; i++) succeeded(await world.by(world.owner).post('/discussion-mls/welcomes', body))
          return { body }
        }
      ),
      ...groupsRefused(aWelcome),
      changed(aWelcome, 'no tree', { ratchetTree: undefined }),
      changed(aWelcome, 'a blank text', { ciphertext: ' ' }),
      changed(aWelcome, 'a tree of more than 262144 characters', { ratchetTree: 'x'.repeat(262_145) }),
      changed(aWelcome, 'a text of more than 262144 characters', { ciphertext: 'x'.repeat(262_145) }),
      ...['x', TIMED_ID].map((recipientDeviceId) =>
        changed(aWelcome, `the device ${recipientDeviceId}`, { recipientDeviceId })
      )
    ]
  },
  {
    row: 'GET /discussion-mls/welcomes',
    access: 'user',
    success: 200,
    refusals: [400, 403, 404],
    sample: async (world) => {
      const { scope, mlsGroupId } = await aGroup(world)
      return { scope, query: asking(mlsGroupId) }
    },
    cases: [
      works('whose device it is for reads it, and nobody else', async (world) => {
        const { body } = await aWelcome(world)
        const made = succeeded(await world.by(world.owner).post('/discussion-mls/welcomes', body)).body
        return {
          by: world.colleague,
          query: asking(body.mlsGroupId, `&recipientDeviceId=${body.recipientDeviceId}`),
          check: async (reply) => {
            assert.equal(exactly(listOf('welcomes', mlsWelcome), reply.body), { welcomes: [made] })
            for (const more of ['', `&recipientDeviceId=${body.recipientDeviceId}`]) {
              const path = `/discussion-mls/welcomes?${asking(body.mlsGroupId, more)}`
              assert.equal((await world.by(world.owner).get(path)).body, { welcomes: [] })
            }
          }
        }
      }),
      works('of one device alone', async (world) => {
        const { body } = await aWelcome(world)
        text(succeeded(await world.by(world.owner).post('/discussion-mls/welcomes', body)).body, 'id')
        return {
          by: world.colleague,
          query: asking(body.mlsGroupId, `&recipientDeviceId=${randomUUID()}`),
          check: (reply) => assert.equal(reply.body, { welcomes: [] })
        }
      }),
      ...asksRefused
    ]
  },
  {
    row: 'GET /discussion-mls/group-state/:mlsGroupId',
    access: 'user',
    success: 200,
    refusals: [400, 403, 404],
    sample: async (world) => {
      const { scope, mlsGroupId } = await begun(world)
      return { scope, params: { mlsGroupId: encodeURIComponent(mlsGroupId) } }
    },
    cases: [
      works('it has begun', async (world) => {
        const { made, mlsGroupId } = await begun(world)
        return {
          params: { mlsGroupId },
          check: ({ body }) => {
            const { createdAt } = made
            assert.equal(exactly(mlsGroupState, body), {
              ...{ mlsGroupId, currentEpoch: 0, createdAt, updatedAt: createdAt }
            })
          }
        }
      }),
      refuses(404, 'MLS group state not found', 'it has not', async (world) => ({
        params: { mlsGroupId: (await aGroup(world)).mlsGroupId }
      })),
      refuses(404, NO_TARGET, 'a group of nothing', () => ({
        params: { mlsGroupId: `thread:collection:${randomUUID()}` }
      })),
      refuses(400, NO_GROUP, 'no group', () => ({ params: { mlsGroupId: 'thread:snippet:x' } }))
    ]
  },
  {
    row: 'DELETE /discussion-mls/group-state/:mlsGroupId',
    access: 'any',
    success: 204,
    refusals: [400, 403, 404],
    matrix: { 'a user without access': 403, ...withoutDevice.matrix },
    texts: withoutDevice.texts,
    sample: async (world) => {
      const { scope, mlsGroupId } = await begun(world)
      return { scope, params: { mlsGroupId: encodeURIComponent(mlsGroupId) } }
    },
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
      works('an administrator has it begin anew', async (world) => ({
        by: world.admin,
        params: { mlsGroupId: (await begun(world)).mlsGroupId }
      })),
      refuses(404, 'MLS group state not found', 'it has not begun', async (world) => ({
        params: { mlsGroupId: (await aGroup(world)).mlsGroupId }
      })),
      refuses(404, NO_TARGET, 'a group of nothing', () => ({
        params: { mlsGroupId: `thread:collection:${randomUUID()}` }
      })),
      refuses(400, NO_GROUP, 'no group', () => ({ params: { mlsGroupId: 'thread:snippet:x' } }))
    ]
  }
])
