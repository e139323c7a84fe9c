import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { name, text } from '../../../commands/content.js'
import { newOf, sentOf } from '../../../commands/records/fields.js'
import { snippetKind } from '../../../commands/records/kinds.js'
import { SCOPES, snippetFields } from '../../../commands/records/snippet/fields.js'
import { listAllowed } from '../../../queries/records.js'
import { errors } from '../../errors.js'
import { listAnswer, records } from '../answers.js'
import { listing } from '../lists.js'
import { paging } from '../paging.js'
import { record } from '../reply.js'
import { forAdmins, routes } from '../route.js'
import { idParams } from './input.js'
import { deleteAsAdminRoute, lockableRoutes } from './lockables.js'

/** A snippet's text, as it is made or edited. */
const content = newOf(snippetFields).omit({ sortOrder: true })

/** What the form of an administrator sends: the lock, or name, code and scope, or all of them. */
const management = z.object({ deletionLocked: z.boolean(), name, code: text, scope: z.enum(SCOPES) }).partial()

/** Snippets, for clients and for administrators, who edit them too (section 4, Snippets and Administration). */
export function snippetRoutes(app: FastifyInstance): void {
  lockableRoutes(app, snippetKind, {
    creation: content,
    replacement: sentOf(snippetFields),
    create: (content, id) => ({ type: 'CreateSnippet', id, content }),
    update: (content, target) => ({ type: 'UpdateSnippet', ...target, content }),
    remove: (target) => ({ type: 'DeleteSnippet', ...target })
  })

  const route = routes(app, 'snippets')
  const { table } = snippetKind

  const list = forAdmins('listSnippetsAsAdmin', 'List all snippets', listAnswer('snippets', records.snippet), {
    isTagged: true,
    query: paging
  })
  route('GET', '/admin/snippets', list, ({ hub, query }) =>
    listing(hub.ledger.readModel, listAllowed(snippetKind, ['*']), query)
  )

  const creation = forAdmins(
    'createSnippetAsAdmin',
    'Make a snippet as an administrator',
    { 201: records.snippet },
    { isTagged: true, body: content, takes: 'content' }
  )
  route('POST', '/admin/snippets', creation, async ({ body, change }) => {
    const row = await change({ type: 'CreateSnippetAsAdmin', id: randomUUID(), content: body }, table)
    return record(snippetKind.record(row, null), row, 201)
  })

  const edit = forAdmins(
    'updateSnippetAsAdmin',
    'Change a snippet, lock it against deletion, or unlock it',
    records.snippet,
    { isTagged: true, takesIfMatch: true, params: idParams, body: management, takes: 'content' }
  )
  route('PUT', '/admin/snippets/:id', edit, async ({ params, body, ifRevision, change }) => {
    const { deletionLocked, ...content } = body
    const isEdit = Object.values(content).some((value) => value !== undefined)
    if (!isEdit && deletionLocked === undefined) throw errors.nothingToChange()
    const row = await change({ type: 'ManageSnippet', ...params, deletionLocked, content, ifRevision }, table)
    return record(snippetKind.record(row, null), row)
  })

  deleteAsAdminRoute(app, snippetKind, (target) => ({ type: 'DeleteSnippetAsAdmin', ...target }))
}
