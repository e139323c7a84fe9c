import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { SYSTEM_ID } from '../../commands/people/user/system.js'
import { errorOf, type Reply } from './client.js'
import { collectionContent } from './content.js'
import { sqlite } from './drivers.js'
import { hubSuite } from './hub-suite.js'
import type { World } from './world.js'

let world: World
const test = hubSuite('section 7, errors', sqlite, (made) => {
  world = made
})

const LOCK = 'Deletion is locked for this collection.'
const conditions: readonly (readonly [
  row: string,
  status: number,
  error: string | null,
  send: () => Promise<Reply>
])[] = [
  ['validation failure', 400, null, () => world.by(world.owner).post('/collections', { name: 7 })],
  ['missing required field', 400, null, () => world.by(world.admin).post('/admin/users', { name: 'x' })],
  [
    'invalid access list (wildcard mixed with ids)',
    400,
    'Wildcard access "*" must be the only entry.',
    async () => world.by(world.admin).put(`/admin/users/${(await world.user()).id}`, { snippetAccess: ['*', 'x'] })
  ],
  ...(['collection', 'environment', 'snippet'] as const).map(
    (kind) =>
      [
        `unknown ${kind} id in a submitted access list`,
        400,
        `Unknown ${kind} id: nowhere.`,
        async () =>
          world.by(world.admin).put(`/admin/users/${(await world.user()).id}`, { [`${kind}Access`]: ['nowhere'] })
      ] as const
  ),
  [
    'invalid user name',
    400,
    'Name must not be empty.',
    () => world.by(world.admin).post('/admin/users', { name: ' ', role: 'user' })
  ],
  [
    'duplicate user name',
    400,
    'User name is already in use.',
    () => world.by(world.admin).post('/admin/users', { name: world.owner.name, role: 'user' })
  ],
  ['missing bearer token', 401, 'Unauthorized', () => world.hub.send({ method: 'GET', path: '/collections' })],
  [
    'unknown bearer token',
    401,
    'Unauthorized',
    () => world.hub.send({ method: 'GET', path: '/collections', token: 'hbk_x' })
  ],
  ['user-role token on a management route', 403, 'Forbidden', () => world.by(world.owner).get('/admin/users')],
  [
    'admin token on an entity route other than the three list routes',
    403,
    'Forbidden',
    async () => world.by(world.admin).put(`/collections/${await world.collection()}`, collectionContent)
  ],
  [
    'access list excludes the resource or is empty',
    403,
    'Forbidden',
    async () => world.by(await world.user()).put(`/collections/${await world.collection()}`, collectionContent)
  ],
  [
    'attempt to modify the system account',
    403,
    'Forbidden',
    () => world.by(world.admin).put(`/admin/users/${SYSTEM_ID}`, { name: 'x' })
  ],
  [
    'attempt to delete the system account',
    403,
    'Forbidden',
    () => world.by(world.admin).delete(`/admin/users/${SYSTEM_ID}`)
  ],
  [
    'attempt to create a token for the system account',
    403,
    'Forbidden',
    () => world.by(world.admin).post(`/admin/users/${SYSTEM_ID}/tokens`, { name: 'x' })
  ],
  [
    'deletion when deletionLocked is true',
    403,
    LOCK,
    async () => {
      const id = await world.collection()
      await world.lock('collections', id)
      return world.by(world.owner).delete(`/collections/${id}`)
    }
  ],
  [
    'deleting a collection one did not create',
    403,
    'Forbidden',
    async () => world.by(world.colleague).delete(`/collections/${await world.collection()}`)
  ],
  ...(['collection', 'folder', 'request', 'document', 'environment', 'snippet'] as const).map(
    (thing) =>
      [
        `${thing} not found`,
        404,
        `${thing[0]?.toUpperCase()}${thing.slice(1)} not found`,
        () => world.by(world.owner).delete(`/${thing}s/${randomUUID()}`)
      ] as const
  ),
  ['user not found', 404, 'User not found', () => world.by(world.admin).delete(`/admin/users/${randomUUID()}`)],
  ['token not found', 404, 'Token not found', () => world.by(world.admin).delete(`/admin/tokens/${randomUUID()}`)]
]

for (const [row, status, error, send] of conditions) {
  test(`${status}: ${row}`, async () => {
    const reply = await send()
    assert.is(reply.status, status, reply.text)
    assert.is(errorOf(reply), error ?? errorOf(reply))
  })
}

test.run()
