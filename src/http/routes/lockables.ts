import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import type { Command } from '../../../commands/index.js'
import { asEditor } from '../../../commands/people/user/system.js'
import { accessible, type LockableKind, nounOf, type RecordKind, type Target } from '../../../commands/records/kind.js'
import type { Lock } from '../../../commands/records/lockable.js'
import { listAllowed, listManaged, managed } from '../../../queries/records.js'
import { listAnswer, managedRecord, oneOf, records, tagOf } from '../answers.js'
import { listing } from '../lists.js'
import { paged } from '../paging.js'
import { done, placedRecord, record } from '../reply.js'
import { routes } from '../route.js'
import { asOf, moment } from './history.js'
import { lock } from './input.js'

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

  route('GET', all, `list${label}s`, listAnswer(plural, records[kind.kind]), {
    summary: `List the ${nouns} that the caller may see`,
    about: `They come by ${kind.kind === 'snippet' ? '`sortOrder` and ' : ''}name. A user sees those that \`${access}\` of the account names, an administrator all of them.`,
    ...paged,
    handle: ({ readModel, caller, query }) =>
      listing(readModel, listAllowed(kind, (caller.role === 'admin' ? asEditor(caller) : caller)[access]), query)
  })

  route('POST', all, `create${label}`, records[kind.kind], {
    summary: `Make ${oneOf(kind)}`,
    about: `Takes an account whose \`${access}\` is \`*\`; others are refused with 403.`,
    isTagged: true,
    body: wire.creation,
    takes: 'content',
    handle: async ({ body, changePlaced }) =>
      placedRecord(kind, await changePlaced(wire.create(body, randomUUID()), table))
  })

  getRoute(app, kind)
  replacementRoute(app, kind, wire)
  deletionRoute(app, kind, wire.remove, 'that is not locked')
}

/** The route by which users get a record of a kind. */
export function getRoute(app: FastifyInstance, kind: RecordKind): void {
  const { label, path } = kind
  routes(app, tagOf(kind.kind))('GET', `/${path}/:id`, `get${label}`, records[kind.kind], {
    summary: `Get ${oneOf(kind)}, as it is or as it was`,
    about:
      'With `at` it is answered as it was at that moment, with the access of now; 404 where it was not there then.',
    isTagged: true,
    query: moment,
    handle: async (call) =>
      asOf(call, kind.kind, await accessible(kind, call.params.id, call.caller, call.hub.ledger.readModel))
  })
}

/** The route by which users replace the content of a record of a kind. */
export function replacementRoute<R extends z.ZodType>(
  app: FastifyInstance,
  kind: RecordKind,
  wire: Replacing<R>
): void {
  const { label, path, table } = kind
  routes(app, tagOf(kind.kind))('PUT', `/${path}/:id`, `update${label}`, records[kind.kind], {
    summary: `Replace the content of ${oneOf(kind)}`,
    about: kind.isMember
      ? 'Whoever may see the collection may change it. Another `folderId` or `collectionId` moves it to the end there. A body that changes nothing makes no version.'
      : 'Whoever may see it may change it. The body is the whole content. One that changes nothing makes no version.',
    takesIfMatch: true,
    isTagged: true,
    body: wire.replacement,
    takes: 'content',
    handle: async ({ params, body, ifRevision, changePlaced }) =>
      placedRecord(kind, await changePlaced(wire.update(body, { ...params, ifRevision }), table))
  })
}

type Remove = (target: Target) => Command

/** What administrators do with a kind of record of which they see no more than the name and the lock. */
interface Management {
  lock(command: Lock): OnRecord
  readonly remove: Remove
}

/** The routes of such a kind for administrators: list, lock, delete. */
export function managedRoutes(app: FastifyInstance, kind: LockableKind, { lock: locking, remove }: Management): void {
  const { plural, path, label } = kind
  const route = routes(app, tagOf(kind.kind))
  const all = `/admin/${path}`

  route('GET', all, `list${label}sAsAdmin`, listAnswer(plural, managedRecord), {
    summary: `List all ${nounOf(kind)}s: names and locks`,
    about: 'What is in them is not told. They come in the order in which users see them.',
    ...paged,
    handle: ({ readModel, query }) => listing(readModel, listManaged(kind), query)
  })

  route('PUT', `${all}/:id`, `lock${label}`, managedRecord, {
    summary: `Lock ${oneOf(kind)} against deletion, or unlock it`,
    about: 'A locked one can be changed, and only administrators delete it. To lock what is locked changes nothing.',
    takesIfMatch: true,
    isTagged: true,
    body: lock,
    handle: async ({ params, body, ifRevision, change }) =>
      record(managed, await change(locking({ ...params, ...body, ifRevision }), kind.table))
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
export function deletionRoute(app: FastifyInstance, kind: RecordKind, remove: Remove, which: string): void {
  const { path, label } = kind
  routes(app, tagOf(kind.kind))('DELETE', `/${path}/:id`, `delete${label}`, null, {
    summary: `Delete ${oneOf(kind)} ${which}`,
    about: deletionText(kind, false),
    takesIfMatch: true,
    handle: ({ params, ifRevision, run }) => done(run(remove({ ...params, ifRevision })))
  })
}

/** The route by which administrators delete records of a kind. */
export function deleteAsAdminRoute(app: FastifyInstance, kind: RecordKind, remove: Remove): void {
  const { path, label } = kind
  routes(app, tagOf(kind.kind))('DELETE', `/admin/${path}/:id`, `delete${label}AsAdmin`, null, {
    summary: `Delete ${oneOf(kind)}, whoever has made it`,
    about: deletionText(kind, true),
    takesIfMatch: true,
    handle: ({ params, ifRevision, run }) => done(run(remove({ ...params, ifRevision })))
  })
}
