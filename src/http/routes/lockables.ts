import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import type { Command } from '../../../commands/index.js'
import { accessible, type LockableKind, type RecordKind, type Target } from '../../../commands/kind.js'
import type { Lock } from '../../../commands/lockable.js'
import type { JsonText } from '../../../projections/record.js'
import { listAllowed, listManaged, managed } from '../../../queries/records.js'
import type { Row } from '../../storage/storage.js'
import { listing } from '../lists.js'
import { paging } from '../paging.js'
import { noContent, record } from '../reply.js'
import { routes } from '../route.js'
import { asOf, moment } from './history.js'
import { idParams, lock } from './input.js'

type OnRecord = Command & { readonly id: string }

/** What a client sends of a kind of record, and the commands that it comes to. */
interface Wire<C extends z.ZodType, R extends z.ZodType> {
  readonly creation: C
  readonly replacement: R
  create(body: z.infer<C>, id: string): OnRecord
  update(content: z.infer<R>, target: Target): OnRecord
  remove(target: Target): Command
}

/** The routes of a kind of record that stands on its own, for clients. */
export function lockableRoutes<C extends z.ZodType, R extends z.ZodType>(
  app: FastifyInstance,
  kind: LockableKind,
  wire: Wire<C, R>
): void {
  const route = routes(app)
  const all = `/${kind.plural}`
  const one = `${all}/:id`
  const { table, access } = kind
  const text = (row: Row): JsonText => kind.record(row, null)

  route('GET', all, { query: paging, access: 'any' }, ({ hub, caller, query }) =>
    listing(hub.ledger.view, listAllowed(kind, caller.role === 'admin' ? ['*'] : caller[access]), query)
  )

  const creation = { body: wire.creation, takes: 'content', access: 'user' } as const
  route('POST', all, creation, async ({ body, change }) => {
    const row = await change(wire.create(body, randomUUID()), table)
    return record(text(row), row)
  })

  route('GET', one, { params: idParams, query: moment, access: 'user' }, async (call) => {
    const row = await accessible(kind, call.params.id, call.caller, call.hub.ledger.view)
    return asOf(call, kind.kind, row)
  })

  const replacement = { params: idParams, body: wire.replacement, takes: 'content', access: 'user' } as const
  route('PUT', one, replacement, async ({ params, body, ifRevision, change }) => {
    const row = await change(wire.update(body, { ...params, ifRevision }), table)
    return record(text(row), row)
  })

  route('DELETE', one, { params: idParams, access: 'user' }, async ({ params, ifRevision, run }) => {
    await run(wire.remove({ ...params, ifRevision }))
    return noContent
  })
}

/** What administrators do with a kind of record of which they see no more than the name and the lock. */
interface Management {
  lock(command: Lock): OnRecord
  remove(target: Target): Command
}

/** The routes of such a kind for administrators: list, lock, delete. */
export function managedRoutes(app: FastifyInstance, kind: LockableKind, { lock: locking, remove }: Management): void {
  const route = routes(app)
  const all = `/admin/${kind.plural}`

  route('GET', all, { query: paging, access: 'admin' }, ({ hub, query }) =>
    listing(hub.ledger.view, listManaged(kind), query)
  )

  route('PUT', `${all}/:id`, { params: idParams, body: lock, access: 'admin' }, async (call) => {
    const { params, body, ifRevision, change } = call
    const row = await change(locking({ ...params, ...body, ifRevision }), kind.table)
    return record(managed(row), row)
  })

  deleteAsAdminRoute(app, kind, remove)
}

/** The route by which administrators delete records of a kind. */
export function deleteAsAdminRoute(app: FastifyInstance, { plural }: RecordKind, remove: Management['remove']): void {
  const target = { params: idParams, access: 'admin' } as const
  routes(app)('DELETE', `/admin/${plural}/:id`, target, async ({ params, ifRevision, run }) => {
    await run(remove({ ...params, ifRevision }))
    return noContent
  })
}
