import type { z } from 'zod'
import type { AccessList } from '../../commands/people/user/events.js'
import {
  collectionContent,
  documentContent,
  environmentContent,
  livePageContent,
  liveServerContent,
  requestContent,
  snippetContent
} from './content.js'
import * as shapes from './shapes.js'

/** What the kinds of record have in common, as data for the tables that say the same of each of them. */
interface Kind {
  /** The name in paths. */
  readonly path: string
  /** The name in list replies. */
  readonly list: string
  /** The name in refusals. */
  readonly thing: string
  readonly shape: z.ZodType
  /** A complete body of a PUT. */
  readonly content: Readonly<Record<string, unknown>> & { readonly name: string }
}

/** Records that stand on their own, with an access list and a lock. */
export interface LockableKind extends Kind {
  readonly path: 'collections' | 'environments' | 'snippets' | 'live-servers' | 'live-pages'
  readonly access: AccessList
  /** What is in a record made from a name alone, besides name, lock and attribution. */
  readonly defaults: Readonly<Record<string, unknown>>
  /** What a record has, besides its content, after a PUT of the content. */
  readonly kept: Readonly<Record<string, unknown>>
  readonly onlyCreatorDeletes: boolean
  /** The record in lists for administrators. */
  readonly managed: z.ZodType
}

/** Records inside a collection, in a folder or at its root. */
export interface ItemKind extends Kind {
  readonly path: 'requests' | 'documents'
  /** The list in a request to reorder. */
  readonly ordered: string
  /** What a record has, besides its content and place, when nothing else was sent. */
  readonly defaults: Readonly<Record<string, unknown>>
}

export const collections: LockableKind = {
  path: 'collections',
  list: 'collections',
  thing: 'Collection',
  shape: shapes.collection,
  access: 'collectionAccess',
  content: collectionContent,
  defaults: {
    variables: [],
    headers: [],
    auth: { type: 'none', basic: { username: '', password: '' }, bearer: { token: '' } },
    preRequestScript: '',
    postRequestScript: '',
    marker: null
  },
  kept: {
    marker: null,
    variables: collectionContent.variables.map((variable) => ({ ...variable, enabled: true }))
  },
  onlyCreatorDeletes: true,
  managed: shapes.managed
}

export const environments: LockableKind = {
  path: 'environments',
  list: 'environments',
  thing: 'Environment',
  shape: shapes.environment,
  access: 'environmentAccess',
  content: environmentContent,
  defaults: { variables: [], marker: null, parentUuid: null },
  kept: { marker: null, parentUuid: null },
  onlyCreatorDeletes: false,
  managed: shapes.managed
}

export const snippets: LockableKind = {
  path: 'snippets',
  list: 'snippets',
  thing: 'Snippet',
  shape: shapes.snippet,
  access: 'snippetAccess',
  content: snippetContent,
  defaults: { code: '', scope: 'any' },
  kept: {},
  onlyCreatorDeletes: false,
  managed: shapes.snippet
}

const { name: _server, ...liveServerDefaults } = liveServerContent
export const liveServers: LockableKind = {
  path: 'live-servers',
  list: 'liveServers',
  thing: 'Live server',
  shape: shapes.liveServer,
  access: 'liveServerAccess',
  content: { ...liveServerContent, root: '/srv/docs', port: 4100, watch: false },
  defaults: liveServerDefaults,
  kept: {},
  onlyCreatorDeletes: false,
  managed: shapes.managed
}

const { name: _page, ...livePageDefaults } = livePageContent
export const livePages: LockableKind = {
  path: 'live-pages',
  list: 'livePages',
  thing: 'Live page',
  shape: shapes.livePage,
  access: 'livePageAccess',
  content: { ...livePageContent, url: 'https://shop.example/', scripts: [{ id: 's', source: 'hide()' }] },
  defaults: livePageDefaults,
  kept: {},
  onlyCreatorDeletes: false,
  managed: shapes.managed
}

export const lockables: readonly LockableKind[] = [collections, environments, snippets, liveServers, livePages]

export const requests: ItemKind = {
  path: 'requests',
  list: 'requests',
  thing: 'Request',
  shape: shapes.savedRequest,
  content: requestContent,
  ordered: 'orderedRequestIds',
  defaults: { protocol: 'http', marker: null }
}

export const documents: ItemKind = {
  path: 'documents',
  list: 'documents',
  thing: 'Document',
  shape: shapes.document,
  content: documentContent,
  ordered: 'orderedDocumentIds',
  defaults: { marker: null }
}

export const items: readonly ItemKind[] = [requests, documents]
