import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import type { Command } from '../../../commands/index.js'
import { accessible, type LockableKind, type RecordKind, type Target } from '../../../commands/records/kind.js'
import type { Lock } from '../../../commands/records/lockable.js'
import type { JsonText } from '../../../projections/record.js'
import { listAllowed, listManaged, managed } from '../../../queries/records.js'
import type { Row } from '../../storage/storage.js'
import { listAnswer, managedRecord, oneOf, records, tagOf } from '../answers.js'
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
  const { table, access, plural, path, label } = kind
  const route = routes(app, tagOf(kind.kind))
  const all = `/${path}`
  const one = `${all}/:id`
  const shows = { answers: { 200: records[kind.kind] }, isTagged: true } as const
  const what = oneOf(kind)
  const text = (row: Row): JsonText => kind.record(row, null)

  const list = {
    operation: `list${label}s`,
    summary: `List the ${plural} that the caller may see`,
    answers: { 200: listAnswer(plural, records[kind.kind]) },
    isTagged: true,
    query: paging,
    access: 'any'
  } as const
  route('GET', all, list, ({ hub, caller, query }) =>
    listing(hub.ledger.readModel, listAllowed(kind, caller.role === 'admin' ? ['*'] : caller[access]), query)
  )

  const creation = {
    operation: `create${label}`,
    summary: `Make ${what}`,
    ...shows,
    body: wire.creation,
    takes: 'content',
    access: 'user'
  } as const
  route('POST', all, creation, async ({ body, change }) => {
    const row = await change(wire.create(body, randomUUID()), table)
    return record(text(row), row)
  })

  const getting = {
    operation: `get${label}`,
    summary: `Get ${what}, as it is or as it was`,
    ...shows,
    params: idParams,
    query: moment,
    access: 'user'
  } as const
  route('GET', one, getting, async (call) => {
    const row = await accessible(kind, call.params.id, call.caller, call.hub.ledger.readModel)
    return asOf(call, kind.kind, row)
  })

  const replacement = {
    operation: `update${label}`,
    summary: `Replace the content of ${what}`,
    takesIfMatch: true,
    ...shows,
    params: idParams,
    body: wire.replacement,
    takes: 'content',
    access: 'user'
  } as const
  route('PUT', one, replacement, async ({ params, body, ifRevision, change }) => {
    const row = await change(wire.update(body, { ...params, ifRevision }), table)
    return record(text(row), row)
  })

  deletionRoute(app, kind, wire.remove, 'that is not locked')
}

/** What administrators do with a kind of record of which they see no more than the name and the lock. */
interface Management {
  lock(command: Lock): OnRecord
  remove(target: Target): Command
}

/** The routes of such a kind for administrators: list, lock, delete. */
export function managedRoutes(app: FastifyInstance, kind: LockableKind, { lock: locking, remove }: Management): void {
  const { plural, path, label } = kind
  const route = routes(app, tagOf(kind.kind))
  const all = `/admin/${path}`

  const list = {
    operation: `list${label}sAsAdmin`,
    summary: `List all ${plural}: names and locks`,
    answers: { 200: listAnswer(plural, managedRecord) },
    isTagged: true,
    query: paging,
    access: 'admin'
  } as const
  route('GET', all, list, ({ hub, query }) => listing(hub.ledger.readModel, listManaged(kind), query))

  const locked = {
    operation: `lock${label}`,
    summary: `Lock ${oneOf(kind)} against deletion, or unlock it`,
    answers: { 200: managedRecord },
    isTagged: true,
    takesIfMatch: true,
    params: idParams,
    body: lock,
    access: 'admin'
  } as const
  route('PUT', `${all}/:id`, locked, async (call) => {
    const { params, body, ifRevision, change } = call
    const row = await change(locking({ ...params, ...body, ifRevision }), kind.table)
    return record(managed(row), row)
  })

  deleteAsAdminRoute(app, kind, remove)
}

/** The route by which users delete records of a kind, `which` saying which they may. */
export function deletionRoute(
  app: FastifyInstance,
  kind: RecordKind,
  remove: Management['remove'],
  which: string
): void {
  const summary = `Delete ${oneOf(kind)} ${which}`
  deletes(app, kind, remove, { operation: `delete${kind.label}`, summary, access: 'user' })
}

/** The route by which administrators delete records of a kind. */
export function deleteAsAdminRoute(app: FastifyInstance, kind: RecordKind, remove: Management['remove']): void {
  const summary = `Delete ${oneOf(kind)}, whoever has made it`
  deletes(app, kind, remove, { operation: `delete${kind.label}AsAdmin`, summary, access: 'admin' })
}

function deletes(
  app: FastifyInstance,
  kind: RecordKind,
  remove: Management['remove'],
  told: { readonly operation: string; readonly summary: string; readonly access: 'user' | 'admin' }
): void {
  const spec = { ...told, answers: { 204: null }, takesIfMatch: true, params: idParams } as const
  const path = told.access === 'admin' ? `/admin/${kind.path}/:id` : `/${kind.path}/:id`
  routes(app, tagOf(kind.kind))('DELETE', path, spec, async ({ params, ifRevision, run }) => {
    await run(remove({ ...params, ifRevision }))
    return noContent
  })
}
