import * as assert from 'uvu/assert'
import { type Fields, fields, holds, idsOf, records } from '../client.js'
import { type Row, refuses, works } from '../endpoint.js'
import { type LockableKind, lockables } from '../kinds.js'
import type { World } from '../world.js'

const made = (kind: LockableKind) => async (world: World) => {
  const id = await world.make(kind.path, { name: kind.thing })
  return { params: { id }, scope: { [kind.access]: [id] } }
}
const locked = (kind: LockableKind) => async (world: World) => {
  const one = await made(kind)(world)
  await world.lock(kind.path, one.params.id)
  return one
}

/** Section 4, Collections, Environments and Snippets, for users and for administrators: what the kinds have in common. */
export const lockableRows: readonly Row[] = lockables.flatMap((kind) => [...rowsOf(kind), ...adminRowsOf(kind)])

function rowsOf(kind: LockableKind): readonly Row[] {
  const { path, list, thing, access, content, defaults, kept, onlyCreatorDeletes } = kind
  const one = made(kind)
  const people = ({ owner }: World, by = owner) => ({ createdByUserId: owner.id, updatedByUserId: by.id })

  return [
    {
      row: `GET /${path}`,
      sample: one,
      cases: [
        works('a user with *: all, in order', async (world) => {
          for (const name of ['zebra', 'Aardvark']) await world.make(path, { name })
          return {
            check: (reply) => {
              const found = records(reply, list)
              assert.equal(found, found.toSorted(path === 'snippets' ? inOrder : byName))
              assert.ok(found.length > 1)
            }
          }
        }),
        works('a user with some ids: only those', async (world) => {
          const ids: string[] = []
          for (const name of ['A', 'B', 'C']) ids.push(await world.make(path, { name }))
          const [first = '', , third = ''] = ids
          return {
            by: await world.user({ [access]: [third, first] }),
            check: (reply) => assert.equal(idsOf(reply, list), [first, third])
          }
        }),
        works('a user with []: an empty list', {
          by: 'stranger',
          check: ({ body }) => assert.equal(body, { [list]: [] })
        }),
        works('an administrator: the full catalog', {
          by: 'admin',
          check: (reply, { params }) => assert.ok(idsOf(reply, list).includes(params?.id))
        })
      ]
    },
    {
      row: `POST /${path}`,
      matrix: { 'a user with this id': 403 },
      texts: { 'a viewer': 'Forbidden' },
      sample: async (world) => ({ body: { name: 'New' }, scope: (await one(world)).scope }),
      cases: [
        works('a name: trimmed, everything else by default', {
          body: { name: ' New ' },
          check: ({ body }, _, world) => {
            holds(body, { ...defaults, name: 'New', deletionLocked: false, ...people(world) })
            assert.is(fields(body).createdAt, fields(body).updatedAt)
          }
        })
      ]
    },
    { row: `GET /${path}/:id`, sample: one },
    {
      row: `PUT /${path}/:id`,
      sample: async (world) => ({ ...(await one(world)), body: content }),
      cases: [
        works('every field: the record with all of them', {
          by: 'colleague',
          check: ({ body }, { params }, world) =>
            holds(body, { ...params, ...content, ...kept, ...people(world, world.colleague), deletionLocked: false })
        })
      ]
    },
    {
      row: `DELETE /${path}/:id`,
      ...(onlyCreatorDeletes && { matrix: { 'a user with this id': 403, 'a user with *': 403 } }),
      sample: one,
      cases: [
        works('the caller created it: it goes', {
          check: async (_, { params }, { by, owner }) => {
            assert.is((await by(owner).get(`/${path}/${params?.id}`)).status, 404)
            assert.not.ok(idsOf(await by(owner).get(`/${path}`), list).includes(params?.id))
          }
        }),
        refuses(403, `Deletion is locked for this ${thing.toLowerCase()}.`, 'it is locked', locked(kind)),
        refuses(
          403,
          'Forbidden',
          'it is locked, and the caller has no access: the lock is not told',
          async (world) => ({
            ...(await locked(kind)(world)),
            by: 'stranger'
          })
        )
      ]
    }
  ]
}

function adminRowsOf(kind: LockableKind): readonly Row[] {
  const { path, list } = kind
  const one = made(kind)
  return [
    {
      row: `GET /admin/${path}`,
      sample: locked(kind),
      cases: [
        works('every one, with its lock', {
          check: (reply, { params }) => {
            const found = records(reply, list).find(({ id }) => id === params?.id)
            holds(found, { name: kind.thing, deletionLocked: true })
          }
        })
      ]
    },
    {
      row: `PUT /admin/${path}/:id`,
      sample: async (world) => ({ ...(await one(world)), body: { deletionLocked: true } }),
      cases: [
        works('deletionLocked true: locked', { check: ({ body }) => holds(body, { deletionLocked: true }) }),
        works('deletionLocked false: the creator may delete it again', async (world) => ({
          ...(await locked(kind)(world)),
          body: { deletionLocked: false },
          check: async ({ body }, { params }) => {
            holds(body, { deletionLocked: false })
            assert.is((await world.by(world.owner).delete(`/${path}/${params?.id}`)).status, 204)
          }
        }))
      ]
    },
    {
      row: `DELETE /admin/${path}/:id`,
      sample: locked(kind)
    }
  ]
}

/** By sortOrder, then by name without regard to case, then by name. */
function inOrder(a: Fields, b: Fields): number {
  return Number(a.sortOrder) - Number(b.sortOrder) || byName(a, b)
}

function byName(a: Fields, b: Fields): number {
  const [left, right] = [String(a.name), String(b.name)]
  return byCodePoint(left.toLowerCase(), right.toLowerCase()) || byCodePoint(left, right)
}

function byCodePoint(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
