import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { accessible } from '../../../commands/records/kind.js'
import { kinds } from '../../../commands/records/kinds.js'
import { activity, activityOf } from '../../records/history/activity.js'
import { json } from '../reply.js'
import { forUsers, routes } from '../route.js'
import { idParams } from './input.js'

const EVENTS_MAX = 200

const page = z.object({
  limit: z.coerce.number().int().min(1).max(EVENTS_MAX).default(50),
  before: z.coerce.number().int().min(1).optional()
})

/** What happened in a collection, a page at a time. Access is that of now. */
export function activityRoutes(app: FastifyInstance): void {
  const listing = forUsers(
    'listCollectionActivity',
    'List what happened to a collection and in it, the newest first',
    activity,
    { params: idParams, query: page }
  )
  routes(app, 'history')('GET', '/collections/:id/activity', listing, async ({ params, query, hub, caller }) => {
    await accessible(kinds.collection, params.id, caller, hub.ledger.readModel)
    return json(await activityOf(hub.ledger, params.id, query))
  })
}
