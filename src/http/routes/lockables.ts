import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import type { Command } from '../../../commands/index.js'
import { accessible, type LockableKind, nounOf, type RecordKind, type Target } from '../../../commands/records/kind.js'
import type { Lock } from '../../../commands/records/lockable.js'
import { listAllowed, listManaged, managed } from '../../../queries/records.js'
import { listAnswer, managedRecord, oneOf, records, tagOf } from '../answers.js'
import { listing } from '../lists.js'
import { paged } from '../paging.js'
import { noContent, placedRecord, record } from '../reply.js'
import { declared, type Route, routes } from '../route.js'
import { asOf, moment } from './history.js'
import { byId, changedById, type idParams, lock } from './input.js'

export type OnRecord = Command & { readonly id: string }

/** What a client sends to replace the content of a record, and the command that it comes to. */
export interface Replacing<R extends z.ZodType> {
  readonly replacement: R
  update(content: z.infer<R>, target: Target): OnRecord
}

/** What a client sends of a kind of record, and the commands that it comes to. */
interface Wire<C extends z.ZodType, R extends z.ZodType> extends Replacing<R> {
  readonly creation: C
  create(body: z.infer<C>, id: string): OnRecord
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
  const nouns = `${nounOf(kind)}s`

  const list = declared(
    `list${label}s`,
    `List the ${nouns} that the caller may see`,
    listAnswer(plural, records[kind.kind]),
    {
      ...paged,
      about: `They come by ${kind.kind === 'snippet' ? '`sortOrder` and ' : ''}name. A user sees those that \`${access}\` of the account names, an administrator all of them.`
    }
  )
  route('GET', all, list, ({ hub, caller, query }) =>
    listing(hub.ledger.readModel, listAllowed(kind, caller.role === 'admin' ? ['*'] : caller[access]), query)
  )

  const creation = declared(`create${label}`, `Make ${oneOf(kind)}`, records[kind.kind], {
    isTagged: true,
    body: wire.creation,
    takes: 'content',
    about: `Takes an account whose \`${access}\` is \`*\`; others are refused with 403.`
  })
  route('POST', all, creation, async ({ body, changePlaced }) =>
    placedRecord(kind, await changePlaced(wire.create(body, randomUUID()), table))
  )

  getRoute(app, kind)
  replacementRoute(app, kind, wire)
  deletionRoute(app, kind, wire.remove, 'that is not locked')
}

/** The route by which users get a record of a kind. */
export function getRoute(app: FastifyInstance, kind: RecordKind): void {
  const { label, path } = kind
  const getting = declared(`get${label}`, `Get ${oneOf(kind)}, as it is or as it was`, records[kind.kind], {
    ...byId,
    isTagged: true,
    query: moment,
    about: 'With `at` it is answered as it was at that moment, with the access of now; 404 where it was not there then.'
  })
  routes(app, tagOf(kind.kind))('GET', `/${path}/:id`, getting, async (call) =>
    asOf(call, kind.kind, await accessible(kind, call.params.id, call.caller, call.hub.ledger.readModel))
  )
}

/** The route by which users replace the content of a record of a kind. */
export function replacementRoute<R extends z.ZodType>(
  app: FastifyInstance,
  kind: RecordKind,
  wire: Replacing<R>
): void {
  const { label, path, table } = kind
  const replacing = declared(`update${label}`, `Replace the content of ${oneOf(kind)}`, records[kind.kind], {
    ...changedById,
    isTagged: true,
    body: wire.replacement,
    takes: 'content',
    about: kind.isMember
      ? 'Whoever may see the collection may change it. Another `folderId` or `collectionId` moves it to the end there. A body that changes nothing makes no version.'
      : 'Whoever may see it may change it. The body is the whole content. One that changes nothing makes no version.'
  })
  routes(app, tagOf(kind.kind))('PUT', `/${path}/:id`, replacing, async ({ params, body, ifRevision, changePlaced }) =>
    placedRecord(kind, await changePlaced(wire.update(body, { ...params, ifRevision }), table))
  )
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

  const list = declared(
    `list${label}sAsAdmin`,
    `List all ${nounOf(kind)}s: names and locks`,
    listAnswer(plural, managedRecord),
    { ...paged, about: 'What is in them is not told. They come in the order in which users see them.' }
  )
  route('GET', all, list, ({ hub, query }) => listing(hub.ledger.readModel, listManaged(kind), query))

  const locked = declared(`lock${label}`, `Lock ${oneOf(kind)} against deletion, or unlock it`, managedRecord, {
    ...changedById,
    isTagged: true,
    body: lock,
    about: 'A locked one can be changed, and only administrators delete it. To lock what is locked changes nothing.'
  })
  route('PUT', `${all}/:id`, locked, async (call) => {
    const { params, body, ifRevision, change } = call
    const row = await change(locking({ ...params, ...body, ifRevision }), kind.table)
    return record(managed(row), row)
  })

  deleteAsAdminRoute(app, kind, remove)
}

const OWN: readonly RecordKind['kind'][] = ['collection', 'request', 'document']
const HOLDING: readonly RecordKind['kind'][] = ['collection', 'folder']

/** Who deletes a record of a kind, and what becomes of it. */
function deletionText({ kind, isMember }: RecordKind, asAdmin: boolean): string {
  const isOwn = OWN.includes(kind)
  return [
    !isMember && (asAdmin ? 'A lock does not hold it back.' : 'One that is locked is refused with 403.'),
    !asAdmin && isOwn && 'Only the account that made it may delete it; others are refused with 403.',
    !asAdmin && !isOwn && 'Whoever may see it may delete it.',
    kind === 'environment' && 'Environments that build on it stay, and build on none.',
    HOLDING.includes(kind) ? 'What is in it goes with it, and all of it can be brought back' : 'It can be brought back',
    `with \`${asAdmin ? 'undeleteRecord' : 'undeleteOwnRecord'}\`.`
  ]
    .filter(Boolean)
    .join(' ')
}

/** The route by which users delete records of a kind, `which` saying which they may. */
export function deletionRoute(
  app: FastifyInstance,
  kind: RecordKind,
  remove: Management['remove'],
  which: string
): void {
  const deletion = declared(`delete${kind.label}`, `Delete ${oneOf(kind)} ${which}`, null, {
    ...changedById,
    about: deletionText(kind, false)
  })
  deletes(app, kind, `/${kind.path}/:id`, remove, deletion)
}

/** The route by which administrators delete records of a kind. */
export function deleteAsAdminRoute(app: FastifyInstance, kind: RecordKind, remove: Management['remove']): void {
  const summary = `Delete ${oneOf(kind)}, whoever has made it`
  const deletion = declared(`delete${kind.label}AsAdmin`, summary, null, {
    ...changedById,
    about: deletionText(kind, true)
  })
  deletes(app, kind, `/admin/${kind.path}/:id`, remove, deletion)
}

function deletes(
  app: FastifyInstance,
  kind: RecordKind,
  url: string,
  remove: Management['remove'],
  deletion: Route<typeof idParams, z.ZodUndefined, z.ZodUndefined>
): void {
  routes(app, tagOf(kind.kind))('DELETE', url, deletion, async ({ params, ifRevision, run }) => {
    await run(remove({ ...params, ifRevision }))
    return noContent
  })
}
