import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { alike, name, text } from '../../../commands/content.js'
import { environmentFields } from '../../../commands/records/environment/fields.js'
import { newOf, optionalFields, sentOf } from '../../../commands/records/fields.js'
import { environmentKind, livePageKind, liveServerKind, snippetKind } from '../../../commands/records/kinds.js'
import { livePageFields, liveServerFields } from '../../../commands/records/live/fields.js'
import { SCOPES, snippetFields } from '../../../commands/records/snippet/fields.js'
import { listAllowed } from '../../../queries/records.js'
import { errors } from '../../errors.js'
import { created, listAnswer, records } from '../answers.js'
import { listing } from '../lists.js'
import { paged } from '../paging.js'
import { record } from '../reply.js'
import { routes } from '../route.js'
import { lock } from './input.js'
import { deleteAsAdminRoute, lockableRoutes, managedRoutes } from './lockables.js'

/** Environments, for clients and for administrators (section 4, Environments and Administration). */
export function environmentRoutes(app: FastifyInstance): void {
  lockableRoutes(app, environmentKind, {
    creation: newOf({ name: environmentFields.name, ...optionalFields(environmentFields) }),
    replacement: sentOf(environmentFields),
    create: (body, id) => ({ type: 'CreateEnvironment', id, ...body }),
    update: (content, target) => ({ type: 'UpdateEnvironment', ...target, content }),
    remove: (target) => ({ type: 'DeleteEnvironment', ...target })
  })
  managedRoutes(app, environmentKind, {
    lock: (command) => ({ type: 'LockEnvironment', ...command }),
    remove: (target) => ({ type: 'DeleteEnvironmentAsAdmin', ...target })
  })
}

const sentLiveServer = sentOf(liveServerFields)
const sentLivePage = sentOf(livePageFields)

/** Live servers and live pages, for clients and for administrators. */
export function liveRoutes(app: FastifyInstance): void {
  lockableRoutes(app, liveServerKind, {
    creation: sentLiveServer,
    replacement: sentLiveServer,
    create: (content, id) => ({ type: 'CreateLiveServer', id, content }),
    update: (content, target) => ({ type: 'UpdateLiveServer', ...target, content }),
    remove: (target) => ({ type: 'DeleteLiveServer', ...target })
  })
  managedRoutes(app, liveServerKind, {
    lock: (command) => ({ type: 'LockLiveServer', ...command }),
    remove: (target) => ({ type: 'DeleteLiveServerAsAdmin', ...target })
  })
  lockableRoutes(app, livePageKind, {
    creation: sentLivePage,
    replacement: sentLivePage,
    create: (content, id) => ({ type: 'CreateLivePage', id, content }),
    update: (content, target) => ({ type: 'UpdateLivePage', ...target, content }),
    remove: (target) => ({ type: 'DeleteLivePage', ...target })
  })
  managedRoutes(app, livePageKind, {
    lock: (command) => ({ type: 'LockLivePage', ...command }),
    remove: (target) => ({ type: 'DeleteLivePageAsAdmin', ...target })
  })
}

/** A snippet's text, as it is made or edited. */
const content = newOf(snippetFields).omit({ sortOrder: true })

/** What the form of an administrator sends: the lock, or name, code and scope, or all of them. */
const management = z.object({
  deletionLocked: alike(lock.shape.deletionLocked.optional(), lock.shape.deletionLocked),
  name: alike(name.optional(), content.shape.name),
  code: alike(text.optional(), content.shape.code),
  scope: alike(z.enum(SCOPES).optional(), content.shape.scope)
})

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

  route('GET', '/admin/snippets', 'listSnippetsAsAdmin', listAnswer('snippets', records.snippet), {
    summary: 'List all snippets',
    about: 'They come whole, with their code, by `sortOrder` and name.',
    ...paged,
    handle: ({ readModel, query }) => listing(readModel, listAllowed(snippetKind, ['*']), query)
  })

  route('POST', '/admin/snippets', 'createSnippetAsAdmin', created(records.snippet), {
    summary: 'Make a snippet as an administrator',
    about: 'It stands behind the last one.',
    ...{ isTagged: true, body: content, takes: 'content' },
    handle: async ({ body, change }) =>
      record(
        (row) => snippetKind.record(row, null),
        await change({ type: 'CreateSnippetAsAdmin', id: randomUUID(), content: body }, table),
        201
      )
  })

  route('PUT', '/admin/snippets/:id', 'updateSnippetAsAdmin', records.snippet, {
    summary: 'Change a snippet, lock it against deletion, or unlock it',
    about: 'What is left out stays as it is. A request that names nothing is refused with 400.',
    ...{ takesIfMatch: true, isTagged: true, body: management, takes: 'content' },
    handle: async ({ params, body, ifRevision, change }) => {
      const { deletionLocked, ...content } = body
      const isEdit = Object.values(content).some((value) => value !== undefined)
      if (!isEdit && deletionLocked === undefined) throw errors.nothingToChange()
      return record(
        (row) => snippetKind.record(row, null),
        await change({ type: 'ManageSnippet', ...params, deletionLocked, content, ifRevision }, table)
      )
    }
  })

  deleteAsAdminRoute(app, snippetKind, (target) => ({ type: 'DeleteSnippetAsAdmin', ...target }))
}
