import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { requireSight } from '../../../commands/context.js'
import type { Command } from '../../../commands/index.js'
import type { Moving } from '../../../commands/records/item/decide.js'
import type { ItemKind } from '../../../commands/records/item/kind.js'
import type { MemberKind, Target } from '../../../commands/records/kind.js'
import { listMembers } from '../../../queries/records.js'
import { listAnswer, oneOf, records, tagOf } from '../answers.js'
import { listing } from '../lists.js'
import { paged } from '../paging.js'
import { done, placedRecord } from '../reply.js'
import { routes } from '../route.js'
import { destination, index } from './input.js'
import { deletionRoute, getRoute, type OnRecord, type Replacing, replacementRoute } from './lockables.js'

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

/** The routes that all kinds in a collection have: list, make, put in order, get, delete. */
export function memberRoutes<C extends z.ZodType, O extends z.ZodType>(
  app: FastifyInstance,
  kind: MemberKind,
  wire: MemberWire<C, O>,
  texts: MemberTexts
): void {
  const { plural, table, label } = kind
  const route = routes(app, tagOf(kind.kind))
  const what = oneOf(kind)
  const within = `/collections/:collectionId/${plural}` as const

  route('GET', within, `list${label}s`, listAnswer(plural, records[kind.kind]), {
    summary: `List the ${plural} of a collection`,
    about: 'All of them, in any folder: those of one folder come in their order. Takes access to the collection.',
    ...paged,
    handle: async ({ params, caller, readModel, query }) => {
      requireSight(caller, params.collectionId)
      return listing(readModel, listMembers(kind, params.collectionId), query)
    }
  })

  route('POST', within, `create${label}`, records[kind.kind], {
    summary: `Make ${what}`,
    about: 'It stands behind the last one in its folder, or at the root. Takes access to the collection.',
    isTagged: true,
    body: wire.creation,
    ...(texts.takes && { takes: texts.takes }),
    handle: async ({ body, params, changePlaced }) =>
      placedRecord(kind, await changePlaced(wire.create(body, { id: randomUUID(), ...params }), table))
  })

  route('PUT', `${within}/reorder`, `reorder${label}s`, null, {
    summary: `Put the ${plural} ${texts.order} in this order`,
    about:
      'Those that are named come first, in this order; the others follow in the order that they have. One that stands elsewhere in the collection moves here.',
    body: wire.order,
    takes: 'content',
    handle: ({ body, params, run }) => done(run(wire.reorder(body, params.collectionId)))
  })

  getRoute(app, kind)
  deletionRoute(app, kind, wire.remove, texts.deletion)
}

/** What a client sends of a kind of item beside that. */
interface Wire<C extends z.ZodType, R extends z.ZodType, O extends z.ZodType> extends MemberWire<C, O>, Replacing<R> {
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
  replacementRoute(app, kind, wire)

  routes(app, tagOf(kind.kind))('PUT', `/${kind.path}/:id/move`, `move${kind.label}`, null, {
    summary: `Move ${oneOf(kind)} to a place in a folder, or at the root`,
    about:
      'Requests and documents of a folder share one order. The places of its siblings change, and neither their revisions nor their histories. It moves to another collection by its replacement.',
    takesIfMatch: true,
    body: move,
    handle: ({ params, body, ifRevision, run }) => done(run(wire.move({ ...params, ...body, ifRevision })))
  })
}
