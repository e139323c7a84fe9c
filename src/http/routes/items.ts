import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { requireCollection } from '../../../commands/context.js'
import type { Command } from '../../../commands/index.js'
import type { Moving } from '../../../commands/records/item/decide.js'
import type { ItemKind } from '../../../commands/records/item/kind.js'
import { accessibleMember, type MemberKind, type Target } from '../../../commands/records/kind.js'
import type { PlacedRow } from '../../../projections/record.js'
import { listMembers } from '../../../queries/records.js'
import { listAnswer, oneOf, records, tagOf } from '../answers.js'
import { listing } from '../lists.js'
import { paging } from '../paging.js'
import { noContent, placedRecord, type Reply } from '../reply.js'
import { routes } from '../route.js'
import { asOf, moment } from './history.js'
import { collectionParams, destination, idParams, index } from './input.js'
import { deletionRoute } from './lockables.js'

type OnRecord = Command & { readonly id: string }

/** What a client sends of a kind that stands in a collection, and the commands that it comes to. */
interface MemberWire<C extends z.ZodType, O extends z.ZodType> {
  readonly creation: C
  readonly order: O
  create(body: z.infer<C>, made: { readonly id: string; readonly collectionId: string }): OnRecord
  reorder(body: z.infer<O>, collectionId: string): Command
  remove(target: Target): Command
}

/** What the description says of such a kind where it differs from others. */
interface MemberTexts {
  /** The size of body that making one takes, where it is not the usual one. */
  readonly takes?: 'content'
  readonly order: string
  readonly deletion: string
}

/** What routes of such a kind answer. */
export function memberAnswers(kind: MemberKind) {
  return {
    shows: { answers: { 200: records[kind.kind] }, isTagged: true } as const,
    shown: (made: PlacedRow): Reply => placedRecord(kind.record(made.row, made.place), made)
  }
}

/** The routes that all kinds in a collection have: list, make, put in order, get, delete. */
export function memberRoutes<C extends z.ZodType, O extends z.ZodType>(
  app: FastifyInstance,
  kind: MemberKind,
  wire: MemberWire<C, O>,
  texts: MemberTexts
): void {
  const { plural, table, label } = kind
  const route = routes(app, tagOf(kind.kind))
  const { shows, shown } = memberAnswers(kind)
  const what = oneOf(kind)
  const within = `/collections/:collectionId/${plural}`
  const one = `/${plural}/:id`

  const list = {
    operation: `list${label}s`,
    summary: `List the ${plural} of a collection`,
    answers: { 200: listAnswer(plural, records[kind.kind]) },
    isTagged: true,
    params: collectionParams,
    query: paging,
    access: 'user'
  } as const
  route('GET', within, list, async ({ params, caller, hub, query }) => {
    requireCollection(caller, params.collectionId)
    return listing(hub.ledger.readModel, listMembers(kind, params.collectionId), query)
  })

  const creation = {
    operation: `create${label}`,
    summary: `Make ${what}`,
    ...shows,
    params: collectionParams,
    body: wire.creation,
    ...(texts.takes && { takes: texts.takes }),
    access: 'user'
  } as const
  route('POST', within, creation, async ({ body, params, changePlaced }) =>
    shown(await changePlaced(wire.create(body, { id: randomUUID(), ...params }), table))
  )

  const order = {
    operation: `reorder${label}s`,
    summary: `Put the ${plural} ${texts.order} in this order`,
    answers: { 204: null },
    params: collectionParams,
    body: wire.order,
    takes: 'content',
    access: 'user'
  } as const
  route('PUT', `${within}/reorder`, order, async ({ body, params, run }) => {
    await run(wire.reorder(body, params.collectionId))
    return noContent
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
    const row = await accessibleMember(kind, call.params.id, call.caller, call.hub.ledger.readModel)
    return asOf(call, kind.kind, row)
  })

  deletionRoute(app, kind, wire.remove, texts.deletion)
}

/** What a client sends of a kind of item beside that. */
interface Wire<C extends z.ZodType, R extends z.ZodType, O extends z.ZodType> extends MemberWire<C, O> {
  readonly replacement: R
  update(body: z.infer<R>, target: Target): OnRecord
  move(command: Moving): Command
}

const move = z.object({ folderId: destination, index })

/** The routes of a kind of item: in its collection, and by its id. */
export function itemRoutes<C extends z.ZodType, R extends z.ZodType, O extends z.ZodType>(
  app: FastifyInstance,
  kind: ItemKind,
  wire: Wire<C, R, O>
): void {
  memberRoutes(app, kind, wire, {
    takes: 'content',
    order: 'of one folder, or of the root,',
    deletion: 'that the caller has made'
  })
  const { plural, table, label } = kind
  const route = routes(app, tagOf(kind.kind))
  const { shows, shown } = memberAnswers(kind)
  const one = `/${plural}/:id`

  const replacement = {
    operation: `update${label}`,
    summary: `Replace the content of ${oneOf(kind)}`,
    takesIfMatch: true,
    ...shows,
    params: idParams,
    body: wire.replacement,
    takes: 'content',
    access: 'user'
  } as const
  route('PUT', one, replacement, async ({ body, params, ifRevision, changePlaced }) =>
    shown(await changePlaced(wire.update(body, { ...params, ifRevision }), table))
  )

  const moving = {
    operation: `move${label}`,
    summary: `Move ${oneOf(kind)} to a place in a folder, or at the root`,
    answers: { 204: null },
    takesIfMatch: true,
    params: idParams,
    body: move,
    access: 'user'
  } as const
  route('PUT', `${one}/move`, moving, async (call) => {
    const { params, body, ifRevision, run } = call
    await run(wire.move({ ...params, ...body, ifRevision }))
    return noContent
  })
}
