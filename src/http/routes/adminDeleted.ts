import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { id } from '../../../commands/content.js'
import { KINDS } from '../../../commands/kinds.js'
import { deletedRecords, listDeleted } from '../../../queries/departures.js'
import { undelete } from '../../history/undelete.js'
import { json } from '../reply.js'
import { routes } from '../route.js'

const LIMIT_MAX = 1000

const page = z.object({ limit: z.coerce.number().int().min(1).max(LIMIT_MAX).default(100) })
const deleted = z.object({ kind: z.enum(KINDS), id })

/** What is deleted, and bringing it back: for administrators. */
export function adminDeletedRoutes(app: FastifyInstance): void {
  const route = routes(app)

  route('GET', '/admin/deleted', { query: page, access: 'admin' }, async ({ hub, query }) =>
    json({ deleted: await deletedRecords(hub.ledger.view, await listDeleted(hub.ledger.view, query.limit)) })
  )

  // A large one is several commands. Repeated, it finds what is back.
  route('POST', '/admin/undelete', { body: deleted, access: 'admin', takesKey: false }, async ({ hub, agent, body }) =>
    json({ ...body, restored: await undelete(hub.ledger, agent, body.kind, body.id) })
  )
}
