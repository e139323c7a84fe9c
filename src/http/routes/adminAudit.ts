import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { entriesOf, fullManner, listManner } from '../../audit/entries.js'
import { masked, short } from '../../audit/mask.js'
import { type AuditQuery, accountId, STREAM_KINDS, search } from '../../audit/search.js'
import { errors } from '../../errors.js'
import { momentOf } from '../../history/moment.js'
import type { Ledger } from '../../ledger.js'
import { LIMITS } from '../../limits.js'
import type { EventHeader } from '../../log/event.js'
import { json } from '../reply.js'
import { routes } from '../route.js'

const LIMIT_MAX = 500
const NDJSON = 'application/x-ndjson'

const term = z.string().min(1).max(500).optional()
const moment = (what: string) =>
  z
    .string()
    .transform((text) => momentOf(text, what))
    .optional()
const query = z.strictObject({
  actor: term,
  token: term,
  type: term,
  kind: z.enum(STREAM_KINDS).optional(),
  id: term,
  address: term,
  request: term,
  from: moment('from'),
  to: moment('to'),
  order: z.enum(['newest', 'oldest']).default('newest'),
  cursor: z.coerce.number().int().min(0).optional(),
  limit: z.coerce.number().int().min(1).max(LIMIT_MAX).default(50)
})
const one = z.object({ position: z.coerce.number().int().min(1) })

/** The log for administrators: who did what, when, from where, and what it changed. Secrets are masked. */
export function adminAuditRoutes(app: FastifyInstance): void {
  const route = routes(app)

  route('GET', '/admin/audit', { query, access: 'admin' }, async ({ hub, query, request, reply, run }) => {
    const { order, cursor, limit, ...wanted } = query
    const page = { limit, cursor, newestFirst: order === 'newest' }
    const actor = wanted.actor === undefined ? undefined : await accountId(wanted.actor, hub.ledger.view)
    const { events, next } = await search(hub.ledger, { ...wanted, actor }, page)
    const { entries, cut } = await pageOf(hub.ledger, events)
    await run({ type: 'RecordAuditRead', id: randomUUID(), data: { filter: textsOf(wanted) } })
    const rest = cut ?? next
    if (!request.headers.accept?.includes(NDJSON)) return json(`{"entries":[${entries.join(',')}],"next":${rest}}`)
    if (rest !== null) reply.header('x-next-cursor', String(rest))
    reply.header('content-type', NDJSON).send(entries.map((entry) => `${entry}\n`).join(''))
    return null
  })

  route('GET', '/admin/audit/:position', { params: one, access: 'admin' }, async ({ hub, params, run }) => {
    const [event] = await hub.ledger.storage.readHeaders(params.position - 1, 1)
    if (!event) throw errors.notFound('Event')
    const { value: found } = await entriesOf(hub.ledger, [event], { ...fullManner, how: [masked] }).next()
    await run({ type: 'RecordAuditRead', id: randomUUID(), data: { filter: { position: String(params.position) } } })
    return json(found?.entry)
  })
}

/** As many entries as make up a page, as JSON. `cut` is where it ended before its last event, and the next one begins. */
async function pageOf(ledger: Ledger, events: readonly EventHeader[]) {
  const entries: string[] = []
  let cut: number | null = null
  let [read, made] = [0, 0]
  for await (const { entry, bytes } of entriesOf(ledger, events, { ...listManner, how: [masked, short] })) {
    const text = JSON.stringify(entry)
    entries.push(text)
    read += bytes
    made += text.length
    const isLast = entries.length === events.length
    if (isLast || (read <= LIMITS.entries.max && made <= LIMITS.page.max)) continue
    cut = entry.position
    break
  }
  return { entries, cut }
}

/** What was asked for, as texts: a question is kept without its answer. */
function textsOf(wanted: AuditQuery): Record<string, string> {
  return Object.fromEntries(
    Object.entries(wanted).flatMap(([name, value]) => {
      if (value === undefined) return []
      return [[name, typeof value === 'string' ? value : Object.values(value).join('')]]
    })
  )
}
