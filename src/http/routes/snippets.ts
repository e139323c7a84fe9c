import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { name, text } from '../../../commands/content.js'
import { existing, requireAccess } from '../../../commands/lockable.js'
import { SCOPES } from '../../../commands/snippet/events.js'
import { snippetsTable } from '../../../projections/snippets.js'
import { listSnippets, snippetRecord } from '../../../queries/snippets.js'
import { listing } from '../lists.js'
import { noContent, record } from '../reply.js'
import { routes } from '../route.js'
import { asOf, moment } from './history.js'
import { idParams } from './input.js'

/** A snippet's text, as it is made or edited. */
export const snippetText = z.object({ name, code: text.default(''), scope: z.enum(SCOPES).default('any') })
const content = snippetText.extend({ sortOrder: z.int32().optional() })

/** Snippets for clients (section 4, Snippets). */
export function snippetRoutes(app: FastifyInstance): void {
  const route = routes(app)

  route('GET', '/snippets', { access: 'any' }, ({ hub, caller }) =>
    listing(hub.ledger.view, listSnippets(caller.role === 'admin' ? ['*'] : caller.snippetAccess))
  )

  route('POST', '/snippets', { body: snippetText, takes: 'content', access: 'user' }, async ({ body, change }) => {
    const row = await change({ type: 'CreateSnippet', id: randomUUID(), content: body }, snippetsTable)
    return record(snippetRecord(row), row)
  })

  route('GET', '/snippets/:id', { params: idParams, query: moment, access: 'user' }, async (call) => {
    const { params, caller, hub } = call
    requireAccess(caller, 'snippet', params.id)
    const row = await existing('snippet', snippetsTable, params.id, hub.ledger.view)
    return asOf(call, 'snippet', row)
  })

  route('PUT', '/snippets/:id', { params: idParams, body: content, takes: 'content', access: 'user' }, async (call) => {
    const { params, body, ifRevision, change } = call
    const command = { type: 'UpdateSnippet', id: params.id, content: body, ifRevision } as const
    const row = await change(command, snippetsTable)
    return record(snippetRecord(row), row)
  })

  route('DELETE', '/snippets/:id', { params: idParams, access: 'user' }, async ({ params, ifRevision, run }) => {
    await run({ type: 'DeleteSnippet', id: params.id, ifRevision })
    return noContent
  })
}
