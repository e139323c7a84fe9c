import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { type Fields, fields, records } from '../client.js'
import { type Endpoint, refuses, works } from '../endpoint.js'
import { type LockableKind, lockables } from '../kinds.js'
import { exactly, listOf } from '../shapes.js'
import type { World } from '../world.js'

/** Section 4, Collections, Environments and Snippets: what the kinds have in common. */
export const lockableEndpoints: readonly Endpoint[] = lockables.flatMap(endpointsOf)

function endpointsOf(kind: LockableKind): readonly Endpoint[] {
  const { path, list, thing, shape, access, content, defaults, kept, onlyCreatorDeletes } = kind
  const lock = `Deletion is locked for this ${thing.toLowerCase()}.`
  const missing = `${thing} not found`
  const unknown = () => ({ params: { id: randomUUID() } })
  const one = async (world: World) => {
    const id = await world.make(path, { name: thing })
    return { params: { id }, scope: { [access]: [id] } }
  }
  const aLocked = async (world: World) => {
    const made = await one(world)
    await world.lock(path, made.params.id)
    return made
  }
  const people = ({ owner }: World, by = owner) => ({ createdByUserId: owner.id, updatedByUserId: by.id })

  return [
    {
      row: `GET /${path}`,
      access: 'any',
      success: 200,
      refusals: [],
      sample: one,
      cases: [
        works('a user with *: all, in order', async (world) => {
          for (const name of ['zebra', 'Aardvark']) await world.make(path, { name })
          return {
            check: (reply) => {
              exactly(listOf(list, shape), reply.body)
              const found = records(reply, list)
              assert.equal(found, found.toSorted(path === 'snippets' ? inOrder : byName))
              assert.ok(found.length > 1)
            }
          }
        }),
        works('a user with some ids: only those', async (world) => {
          const [one, , three] = [
            await world.make(path, { name: 'A' }),
            await world.make(path, { name: 'B' }),
            await world.make(path, { name: 'C' })
          ]
          return {
            by: await world.user({ [access]: [three, one] }),
            check: (reply) => assert.equal(ids(records(reply, list)), [one, three])
          }
        }),
        works('a user with []: an empty list', async (world) => ({
          by: await world.user({ [access]: [] }),
          check: ({ body }) => assert.equal(body, { [list]: [] })
        })),
        works('an administrator: the full catalog', async (world) => {
          const { params } = await one(world)
          return {
            by: world.admin,
            check: (reply) => assert.ok(ids(records(reply, list)).includes(params.id))
          }
        })
      ]
    },
    {
      row: `POST /${path}`,
      access: 'user',
      success: 200,
      refusals: [400, 403],
      matrix: { 'a user with this id': 403 },
      sample: async (world) => ({ body: { name: 'New' }, scope: (await one(world)).scope }),
      cases: [
        works('a name: trimmed, everything else by default', (world) => ({
          body: { name: ' New ' },
          check: ({ body }) => {
            const { id, createdAt, updatedAt, sortOrder, ...created } = fields(exactly(shape, body))
            assert.equal(created, { ...defaults, name: 'New', deletionLocked: false, ...people(world) })
            assert.is(createdAt, updatedAt)
          }
        })),
        refuses(400, 'Name must not be empty.', 'an empty name', () => ({ body: { name: '' } })),
        refuses(400, 'Name must not be empty.', 'a blank name', () => ({ body: { name: ' \t\n' } })),
        refuses(400, 'Name must be a string.', 'no name', () => ({ body: {} })),
        refuses(403, 'Forbidden', 'access to some ids only', async (world) => ({
          by: await world.user((await one(world)).scope),
          body: { name: 'New' }
        })),
        refuses(403, 'Forbidden', 'no access', async (world) => ({ by: await world.user(), body: { name: 'New' } }))
      ]
    },
    {
      row: `GET /${path}/:id`,
      access: 'user',
      success: 200,
      refusals: [404],
      sample: one,
      cases: [
        works('it is there: the record', async (world) => ({
          ...(await one(world)),
          check: ({ body }) => exactly(shape, body)
        })),
        refuses(404, missing, 'an unknown one', unknown)
      ]
    },
    {
      row: `PUT /${path}/:id`,
      access: 'user',
      success: 200,
      refusals: [400, 404],
      sample: async (world) => ({ ...(await one(world)), body: content }),
      cases: [
        works('every field: the record with all of them', async (world) => {
          const { params } = await one(world)
          return {
            by: world.colleague,
            params,
            body: content,
            check: ({ body }) => {
              const { createdAt, updatedAt, sortOrder, ...now } = fields(exactly(shape, body))
              const changed = { ...params, ...content, ...kept, ...people(world, world.colleague) }
              assert.equal(now, { ...changed, deletionLocked: false })
            }
          }
        }),
        refuses(400, 'Name must not be empty.', 'a blank name', async (world) => ({
          ...(await one(world)),
          body: { ...content, name: ' ' }
        })),
        refuses(400, null, 'no body', async (world) => ({ ...(await one(world)), body: {} })),
        refuses(404, missing, 'an unknown one', () => ({ ...unknown(), body: content }))
      ]
    },
    {
      row: `DELETE /${path}/:id`,
      access: 'user',
      success: 204,
      refusals: [403, 404],
      ...(onlyCreatorDeletes && { matrix: { 'a user with this id': 403, 'a user with *': 403 } }),
      sample: one,
      cases: [
        works('the caller created it: it goes', async (world) => {
          const { params } = await one(world)
          return {
            params,
            check: async () => {
              const { get } = world.by(world.owner)
              assert.is((await get(`/${path}/${params.id}`)).status, 404)
              assert.not.ok(ids(records(await get(`/${path}`), list)).includes(params.id))
            }
          }
        }),
        refuses(403, lock, 'it is locked', aLocked),
        refuses(
          403,
          'Forbidden',
          'it is locked, and the caller has no access: the lock is not told',
          async (world) => ({
            ...(await aLocked(world)),
            by: await world.user()
          })
        ),
        refuses(404, missing, 'an unknown one', unknown),
        onlyCreatorDeletes
          ? refuses(403, 'Forbidden', 'the caller did not create it', async (world) => ({
              ...(await one(world)),
              by: world.colleague
            }))
          : works('somebody else created it', async (world) => ({ ...(await one(world)), by: world.colleague }))
      ]
    }
  ]
}

function ids(list: readonly Fields[]): readonly unknown[] {
  return list.map(({ id }) => id)
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
