import type { AccessList } from '../../commands/people/user/events.js'
import type { Fields } from './client.js'
import {
  collectionContent,
  documentContent,
  environmentContent,
  livePageContent,
  liveServerContent,
  requestContent,
  snippetContent
} from './content.js'
import type { Access, World } from './world.js'

/** What the kinds of record have in common, as data for the tables that say the same of each of them. */
interface Kind {
  /** The name in paths. */
  readonly path: string
  /** The name in refusals. */
  readonly thing: string
}

/** Records with a content that a PUT replaces. */
interface ContentKind extends Kind {
  /** The name in list replies. */
  readonly list: string
  /** A complete body of a PUT. */
  readonly content: Fields & { readonly name: string }
  /** What is in a record that was made of as little as may be, besides what was sent, its place, its lock and its people. */
  readonly defaults: Fields
}

/** Records that stand on their own, with an access list and a lock. */
export interface LockableKind extends ContentKind {
  readonly access: AccessList
  /** What a record has, besides its content, after a PUT of the content. */
  readonly kept: Fields
  readonly onlyCreatorDeletes?: true
}

/** Records inside a collection, in a folder or at its root. */
export interface ItemKind extends ContentKind {
  readonly path: 'requests' | 'documents'
  /** The list in a request to reorder. */
  readonly ordered: string
}

const { name: _server, ...liveServerDefaults } = liveServerContent
const { name: _page, ...livePageDefaults } = livePageContent

export const collections: LockableKind = {
  ...{ path: 'collections', list: 'collections', thing: 'Collection', access: 'collectionAccess' },
  content: collectionContent,
  defaults: {
    ...{ variables: [], headers: [], preRequestScript: '', postRequestScript: '', marker: null },
    auth: { type: 'none', basic: { username: '', password: '' }, bearer: { token: '' } }
  },
  kept: {
    marker: null,
    variables: collectionContent.variables.map((variable) => ({ ...variable, enabled: true }))
  },
  onlyCreatorDeletes: true
}

export const environments: LockableKind = {
  ...{ path: 'environments', list: 'environments', thing: 'Environment', access: 'environmentAccess' },
  content: environmentContent,
  defaults: { variables: [], marker: null, parentUuid: null },
  kept: { marker: null, parentUuid: null }
}

export const liveServers: LockableKind = {
  ...{ path: 'live-servers', list: 'liveServers', thing: 'Live server', access: 'liveServerAccess' },
  content: { ...liveServerContent, root: '/srv/docs', port: 4100, watch: false },
  defaults: liveServerDefaults,
  kept: {}
}

export const livePages: LockableKind = {
  ...{ path: 'live-pages', list: 'livePages', thing: 'Live page', access: 'livePageAccess' },
  content: { ...livePageContent, url: 'https://shop.example/', scripts: [{ id: 's', source: 'hide()' }] },
  defaults: livePageDefaults,
  kept: {}
}

export const lockables: readonly LockableKind[] = [
  collections,
  environments,
  {
    ...{ path: 'snippets', list: 'snippets', thing: 'Snippet', access: 'snippetAccess' },
    content: snippetContent,
    defaults: { code: '', scope: 'any' },
    kept: {}
  },
  liveServers,
  livePages
]

export const items: readonly ItemKind[] = [
  {
    ...{ path: 'requests', list: 'requests', thing: 'Request', ordered: 'orderedRequestIds' },
    content: requestContent,
    defaults: { protocol: 'http', marker: null }
  },
  {
    ...{ path: 'documents', list: 'documents', thing: 'Document', ordered: 'orderedDocumentIds' },
    content: documentContent,
    defaults: { marker: null }
  }
]

/** A record that is there, who reaches it, and how it is changed. */
export interface Made {
  readonly id: string
  readonly scope: Access
  readonly method: 'PUT' | 'PATCH'
  /** A body that changes the record to something new. */
  body(name: string): Fields
}

/** Records of any kind that keep a history. */
export interface RecordKind extends Kind {
  make(world: World, name: string): Promise<Made>
}

export const recordKinds: readonly RecordKind[] = [
  ...lockables.map(({ path, thing, access, content }) => ({
    ...{ path, thing },
    async make(world: World, name: string): Promise<Made> {
      const id = await world.make(path, { name })
      return { id, scope: { [access]: [id] }, method: 'PUT', body: (name) => ({ ...content, name }) }
    }
  })),
  {
    ...{ path: 'folders', thing: 'Folder' },
    async make(world, name) {
      const collectionId = await world.collection()
      const id = await world.folder(collectionId, null, name)
      return { id, scope: { collectionAccess: [collectionId] }, method: 'PATCH', body: (name) => ({ name }) }
    }
  },
  ...items.map(({ path, thing, content }) => ({
    ...{ path, thing },
    async make(world: World, name: string): Promise<Made> {
      const collectionId = await world.collection()
      const id = await world.make(`collections/${collectionId}/${path}`, { ...content, name })
      const body = (name: string) => ({ ...content, collectionId, name })
      return { id, scope: { collectionAccess: [collectionId] }, method: 'PUT', body }
    }
  }))
]
