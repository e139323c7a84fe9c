import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { requireCollection } from '../../../commands/context.js'
import type { Command } from '../../../commands/index.js'
import type { Moving } from '../../../commands/item/decide.js'
import type { ItemKind } from '../../../commands/item/kind.js'
import { accessibleMember, type Target } from '../../../commands/kind.js'
import type { PlacedRow } from '../../../projections/record.js'
import { listMembers } from '../../../queries/records.js'
import { listing } from '../lists.js'
import { paging } from '../paging.js'
import { noContent, placedRecord, type Reply } from '../reply.js'
import { routes } from '../route.js'
import { asOf, moment } from './history.js'
import { collectionParams, destination, idParams, index } from './input.js'

type OnRecord = Command & { readonly id: string }

/** What a client sends of a kind of item, and the commands that it comes to. */
interface Wire<C extends z.ZodType, R extends z.ZodType, O extends z.ZodType> {
  readonly creation: C
  readonly replacement: R
  readonly order: O
  create(body: z.infer<C>, made: { readonly id: string; readonly collectionId: string }): OnRecord
  update(body: z.infer<R>, target: Target): OnRecord
  move(command: Moving): Command
  reorder(body: z.infer<O>, collectionId: string): Command
  remove(target: Target): Command
}

const move = z.object({ folderId: destination, index })

/** The routes of a kind of item: in its collection, and by its id. */
export function itemRoutes<C extends z.ZodType, R extends z.ZodType, O extends z.ZodType>(
  app: FastifyInstance,
  kind: ItemKind,
  wire: Wire<C, R, O>
): void {
  const route = routes(app)
  const { plural, table } = kind
  const within = `/collections/:collectionId/${plural}`
  const one = `/${plural}/:id`
  const shown = (made: PlacedRow): Reply => placedRecord(kind.record(made.row, made.place), made)

  route('GET', within, { params: collectionParams, query: paging, access: 'user' }, async (call) => {
    const { params, caller, hub, query } = call
    requireCollection(caller, params.collectionId)
    return listing(hub.ledger.view, listMembers(kind, params.collectionId), query)
  })

  const creation = { params: collectionParams, body: wire.creation, takes: 'content', access: 'user' } as const
  route('POST', within, creation, async ({ body, params, changePlaced }) =>
    shown(await changePlaced(wire.create(body, { id: randomUUID(), ...params }), table))
  )

  const order = { params: collectionParams, body: wire.order, takes: 'content', access: 'user' } as const
  route('PUT', `${within}/reorder`, order, async ({ body, params, run }) => {
    await run(wire.reorder(body, params.collectionId))
    return noContent
  })

  route('GET', one, { params: idParams, query: moment, access: 'user' }, async (call) => {
    const row = await accessibleMember(kind, call.params.id, call.caller, call.hub.ledger.view)
    return asOf(call, kind.kind, row)
  })

  const replacement = { params: idParams, body: wire.replacement, takes: 'content', access: 'user' } as const
  route('PUT', one, replacement, async ({ body, params, ifRevision, changePlaced }) =>
    shown(await changePlaced(wire.update(body, { ...params, ifRevision }), table))
  )

  route('PUT', `${one}/move`, { params: idParams, body: move, access: 'user' }, async (call) => {
    const { params, body, ifRevision, run } = call
    await run(wire.move({ ...params, ...body, ifRevision }))
    return noContent
  })

  route('DELETE', one, { params: idParams, access: 'user' }, async ({ params, ifRevision, run }) => {
    await run(wire.remove({ ...params, ifRevision }))
    return noContent
  })
}
