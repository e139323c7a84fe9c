import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { name, text } from '../../../commands/content.js'
import { SCOPES } from '../../../commands/snippet/events.js'
import { environmentsTable } from '../../../projections/environments.js'
import { snippetsTable } from '../../../projections/snippets.js'
import { listManagedEnvironments } from '../../../queries/environments.js'
import { managed } from '../../../queries/managed.js'
import { listSnippets, snippetRecord } from '../../../queries/snippets.js'
import { errors } from '../../errors.js'
import { listing } from '../lists.js'
import { noContent, record } from '../reply.js'
import { routes } from '../route.js'
import { idParams, lock } from './input.js'
import { snippetText } from './snippets.js'

/** A form sends the lock, or name, code and scope, or all of them. */
const management = z.object({
  deletionLocked: z.boolean().optional(),
  name: name.optional(),
  code: text.optional(),
  scope: z.enum(SCOPES).optional()
})

/** Environments, snippets and saved requests for administrators (section 4, Administration). */
export function adminEntityRoutes(app: FastifyInstance): void {
  const route = routes(app)

  route('GET', '/admin/environments', { access: 'admin' }, ({ hub }) =>
    listing(hub.ledger.view, listManagedEnvironments)
  )

  route('PUT', '/admin/environments/:id', { params: idParams, body: lock, access: 'admin' }, async (call) => {
    const { params, body, ifRevision } = call
    const row = await call.change({ type: 'LockEnvironment', ...params, ...body, ifRevision }, environmentsTable)
    return record(managed(row), row)
  })

  route(
    'DELETE',
    '/admin/environments/:id',
    { params: idParams, access: 'admin' },
    async ({ params, ifRevision, run }) => {
      await run({ type: 'DeleteEnvironmentAsAdmin', ...params, ifRevision })
      return noContent
    }
  )

  route('GET', '/admin/snippets', { access: 'admin' }, ({ hub }) => listing(hub.ledger.view, listSnippets(['*'])))

  route(
    'POST',
    '/admin/snippets',
    { body: snippetText, takes: 'content', access: 'admin' },
    async ({ body, change }) => {
      const row = await change({ type: 'CreateSnippetAsAdmin', id: randomUUID(), content: body }, snippetsTable)
      return record(snippetRecord(row), row, 201)
    }
  )

  route(
    'PUT',
    '/admin/snippets/:id',
    { params: idParams, body: management, takes: 'content', access: 'admin' },
    async (call) => {
      const { deletionLocked, ...content } = call.body
      const isEdit = Object.values(content).some((value) => value !== undefined)
      if (!isEdit && deletionLocked === undefined) throw errors.invalid('Send deletionLocked, or name, code and scope.')
      const { params, ifRevision } = call
      const command = { type: 'ManageSnippet', ...params, deletionLocked, content, ifRevision } as const
      const row = await call.change(command, snippetsTable)
      return record(snippetRecord(row), row)
    }
  )

  route('DELETE', '/admin/snippets/:id', { params: idParams, access: 'admin' }, async ({ params, ifRevision, run }) => {
    await run({ type: 'DeleteSnippetAsAdmin', ...params, ifRevision })
    return noContent
  })

  route('DELETE', '/admin/requests/:id', { params: idParams, access: 'admin' }, async ({ params, ifRevision, run }) => {
    await run({ type: 'DeleteRequestAsAdmin', ...params, ifRevision })
    return noContent
  })
}
