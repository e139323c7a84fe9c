import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { storable } from '../../../commands/content.js'
import { STREAM_KINDS } from '../../../commands/index.js'
import { usersTable } from '../../../commands/people/user/table.js'
import type { Hub } from '../../app/hub.js'
import { errors } from '../../errors.js'
import type { CommandOrigin, Ledger } from '../../ledger/ledger.js'
import { boundedText, LIMITS } from '../../limits.js'
import type { EventHeader } from '../../log/event.js'
import { momentOf, search } from '../../log/logQuery.js'
import { keptAddress } from '../../net/address.js'
import { auditEntry, entriesOf, fullManner, listManner } from '../../trust/audit/entries.js'
import { auditFacets, facetsOf } from '../../trust/audit/facets.js'
import { masked, short } from '../../trust/audit/mask.js'
import { type Asked, type AuditQuery, accountId, askedOf, isAskedAlready, logQueryOf } from '../../trust/audit/query.js'
import { auditPage } from '../answers.js'
import { numberInUrl } from '../paging.js'
import { json } from '../reply.js'
import { routes } from '../route.js'
import { pageSize } from './input.js'

const LIMIT_MAX = 500
const NDJSON = 'application/x-ndjson'

const term = boundedText(LIMITS.label).min(1).refine(storable, 'Must not contain NUL or broken characters.').optional()
const moment = (what: string, edge: 'first' | 'last') =>
  boundedText(LIMITS.label)
    .transform((text) => momentOf(text, what, edge))
    .optional()
const wanted = {
  actor: term.describe('The id or the name of the account that did it.'),
  token: term.describe('The id of the token that it was done with.'),
  type: term.describe('What happened, such as `RequestUpdated`.'),
  kind: z.enum(STREAM_KINDS).optional().describe('The kind of what it happened to.'),
  id: term.describe('The id of what it happened to.'),
  address: term.describe('The address of the client.'),
  request: term.describe('The `X-Request-Id` of the request.'),
  from: moment('from', 'first').describe(
    'A position of the log, or a time or day (ISO 8601): the first that is searched.'
  ),
  to: moment('to', 'last').describe('A position of the log, or a time or day (ISO 8601): the last that is searched.')
}
const cursor = z.preprocess((sent) => {
  if (sent !== undefined && !/^\d{1,15}$/.test(String(sent))) throw errors.cursorMalformed()
  return sent
}, numberInUrl.min(0).optional())
const query = z.strictObject({
  ...wanted,
  order: z.enum(['newest', 'oldest']).default('newest').describe('Which entries come first.'),
  cursor: cursor.describe('The `next` of the page before; left out for the first page.'),
  limit: pageSize(LIMIT_MAX, 50).describe('How many entries a page has at most.')
})
const counted = z.strictObject({
  ...wanted,
  cursor: cursor.describe('A `cursor` of `searchAudit`, the newest first: what stands before it is counted alone.')
})
const one = z.object({
  position: numberInUrl.min(1).describe('The position of the entry in the log, from 1.')
})

/** The log for administrators: who did what, when, from where, and what it changed. Secrets are masked. */
export function adminAuditRoutes(app: FastifyInstance): void {
  const route = routes(app, 'audit')

  const pages = { 200: { 'application/json': auditPage, [NDJSON]: auditEntry } }
  route('GET', '/admin/audit', 'searchAudit', pages, {
    summary: 'Search the log; lines where `application/x-ndjson` is accepted, with the next cursor in `X-Next-Cursor`',
    about:
      'Each search is itself an entry of the log, with what was searched for. A page has 50 entries, 500 at most, and fewer where they are large. Secrets in entries are masked.',
    query,
    handle: async ({ hub, query, request, reply, origin }) => {
      const { order, cursor, limit, ...wanted } = query
      const page = { limit, cursor, newestFirst: order === 'newest' }
      const { logQuery, asked } = await questionOf(hub, wanted)
      const { events, next } = await search(hub.ledger, logQuery, page)
      const { entries, cut } = await pageOf(hub.ledger, events)
      await record(hub, origin, asked)
      const rest = cut ?? next
      if (!request.headers.accept?.includes(NDJSON)) return json(`{"entries":[${entries.join(',')}],"next":${rest}}`)
      if (rest !== null) reply.header('x-next-cursor', String(rest))
      return { status: 200, body: entries.map((entry) => `${entry}\n`).join(''), contentType: NDJSON }
    }
  })

  route('GET', '/admin/audit/facets', 'countAudit', auditFacets, {
    summary: 'Count what a search of the log finds: by kind, type, account and day',
    about:
      'The newest entries alone are counted where there are many. It takes what `searchAudit` takes but for the order and the size of the page. A count is an entry of the log too, where the same token has not just searched for the same.',
    query: counted,
    handle: async ({ hub, query, origin, token }) => {
      const { cursor, ...wanted } = query
      const { logQuery, asked } = await questionOf(hub, wanted)
      const facets = await facetsOf(hub.ledger, logQuery, undefined, cursor)
      // They tell nothing that the search does not: who has just searched the same is in the log for both.
      if (!(await isAskedAlready(hub.ledger.storage, token.id, asked, hub.ledger.now())))
        await record(hub, origin, asked)
      return json(facets)
    }
  })

  route('GET', '/admin/audit/:position', 'getAuditEntry', auditEntry, {
    summary: 'Get one entry of the log',
    about:
      'All its changes are listed, with their whole texts. Secrets are masked. Looking at it is an entry of the log too.',
    params: one,
    handle: async ({ hub, params, run }) => {
      const [event] = await hub.ledger.storage.readHeaders(params.position - 1, 1)
      if (!event) throw errors.notFound('Event')
      const { value: found } = await entriesOf(hub.ledger, [event], { ...fullManner, how: [masked] }).next()
      await run({ type: 'RecordAuditRead', id: randomUUID(), data: { filter: { position: String(params.position) } } })
      return json(found?.entry)
    }
  })
}

/** What somebody looks for in the log, as a query and as the log keeps that they did. */
async function questionOf({ ledger: { readModel }, config }: Hub, wanted: AuditQuery) {
  const actor = wanted.actor === undefined ? undefined : await accountId(wanted.actor, readModel)
  const account = actor !== undefined && (await readModel.get(usersTable, actor)) ? actor : null
  const address = keptAddress(wanted.address ?? null, config.audit.address)
  return { logQuery: logQueryOf({ ...wanted, actor }), asked: askedOf(wanted, account, address) }
}

async function record({ ledger }: Hub, origin: CommandOrigin, { filter, searched }: Asked): Promise<void> {
  await ledger.run({ type: 'RecordAuditRead', id: randomUUID(), data: { filter } }, { ...origin, searched })
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
