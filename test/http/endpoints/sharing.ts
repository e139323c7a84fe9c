import * as assert from 'uvu/assert'
import { fields, records } from '../client.js'
import { type Row, refuses, works } from '../endpoint.js'
import { type LockableKind, lockables } from '../kinds.js'
import { succeeded, type World } from '../world.js'

const ONLY_MANAGERS = 'Managers of this, whoever has made it and administrators say who has it.'
const NOT_SHARED = { 'a user with this id': ONLY_MANAGERS, 'a user with *': ONLY_MANAGERS }
const kindIn: Readonly<Record<LockableKind['path'], string>> = {
  ...{ collections: 'collection', environments: 'environment', snippets: 'snippet' },
  ...{ 'live-servers': 'liveServer', 'live-pages': 'livePage' }
}
// Whoever has made a record shares it, and who may only use it does not.
const notMaker = { 'a user with this id': 403, 'a user with *': 403, 'a user without access': 403 } as const

/** Sharing of what stands on its own, and grants. */
export const sharingRows: readonly Row[] = [
  ...lockables.flatMap(sharingOf),
  {
    row: 'PUT /admin/users/:id/grants',
    sample: async (world) => ({
      params: { id: (await world.user()).id },
      body: { grants: [{ kind: 'collection', id: await world.collection(), role: 'viewer' }] }
    }),
    cases: [
      works('they are shown with the account', async (world) => {
        const { id } = await world.user()
        const grants = [{ kind: 'collection', id: await world.collection(), role: 'manager' }]
        return {
          params: { id },
          body: { grants },
          check: async () => {
            assert.equal(fields((await world.by(world.admin).get(`/admin/users/${id}`)).body).grants, grants)
          }
        }
      }),
      refuses(400, 'grants: Name each record once.', 'a record twice', async (world) => {
        const one = { kind: 'collection', id: await world.collection(), role: 'viewer' }
        return { params: { id: (await world.user()).id }, body: { grants: [one, { ...one, role: 'editor' }] } }
      })
    ]
  }
]

function sharingOf({ path, thing, access, content }: LockableKind): readonly Row[] {
  const made = (world: World) => world.make(path, { name: thing })
  const one = async (world: World) => {
    const id = await made(world)
    return { params: { id }, scope: { [access]: [id] } }
  }
  const shared = async (world: World) => {
    const { params, scope } = await one(world)
    return { params: { ...params, user: (await world.user()).id }, scope }
  }
  return [
    {
      row: `GET /${path}/:id/sharing`,
      sample: one,
      matrix: { ...notMaker, 'a manager': 200, 'an administrator': 200 },
      texts: NOT_SHARED,
      cases: [
        works('who has it by a list, and by a grant', async (world) => {
          const { params } = await shared(world)
          const reader = await world.user({ [access]: [params.id] })
          await world.by(world.owner).put(`/${path}/${params.id}/sharing/${params.user}`, { role: 'viewer' })
          return {
            params,
            check: (reply) => {
              const told = records(reply, 'sharing').map(({ userId, role, by }) => [userId, role, by])
              assert.ok(told.some((one) => String(one) === String([params.user, 'viewer', 'grant'])))
              assert.ok(told.some((one) => String(one) === String([reader.id, 'editor', 'list'])))
            }
          }
        }),
        works('a manager through a group, who may', async (world) => {
          const [{ params }, by] = [await one(world), await world.user()]
          const grants = [{ kind: kindIn[path], id: params.id, role: 'manager' }]
          const name = `Managers of ${params.id}`
          const group = succeeded(await world.by(world.admin).post('/admin/groups', { name, grants }))
          succeeded(await world.by(world.admin).put(`/admin/groups/${fields(group.body).id}/members/${by.id}`))
          return {
            ...{ by, params },
            check: (reply) => {
              const own = records(reply, 'sharing').find(({ userId }) => userId === by.id)
              assert.equal([own?.role, own?.by, own?.group], ['manager', 'group', name])
            }
          }
        })
      ]
    },
    {
      row: `PUT /${path}/:id/sharing/:user`,
      sample: async (world) => ({ ...(await shared(world)), body: { role: 'editor' } }),
      matrix: { ...notMaker, 'a manager': 204, 'an administrator': 204 },
      texts: NOT_SHARED,
      cases: [
        works('a viewer, by their name, looks at it, and changes it not', async (world) => {
          const [id, user] = [await made(world), await world.user()]
          return {
            params: { id, user: encodeURIComponent(user.name) },
            body: { role: 'viewer' },
            check: async () => {
              assert.is((await world.by(user).get(`/${path}/${id}`)).status, 200)
              assert.is((await world.by(user).put(`/${path}/${id}`, content)).status, 403)
            }
          }
        }),
        refuses(403, ONLY_MANAGERS, 'nobody, by who may not share it and so learns of no names', async (world) => ({
          ...{ by: 'colleague', params: { id: await made(world), user: 'nobody' }, body: { role: 'viewer' } }
        })),
        refuses(404, 'User not found', 'nobody', async (world) => ({
          ...{ params: { id: await made(world), user: 'nobody' }, body: { role: 'viewer' } }
        }))
      ]
    },
    {
      row: `DELETE /${path}/:id/sharing/:user`,
      sample: shared,
      matrix: { ...notMaker, 'a manager': 204, 'an administrator': 204 },
      texts: NOT_SHARED,
      cases: [
        works('it is out of sight at once, and the account tells of no grants', async (world) => {
          const [id, user] = [await made(world), await world.user()]
          succeeded(await world.by(world.owner).put(`/${path}/${id}/sharing/${user.id}`, { role: 'viewer' }))
          return {
            params: { id, user: user.id },
            check: async () => {
              assert.is((await world.by(user).get(`/${path}/${id}`)).status, 403)
              const { body } = await world.by(world.admin).get(`/admin/users/${user.id}`)
              assert.is(fields(body).grants, undefined)
            }
          }
        })
      ]
    }
  ]
}
