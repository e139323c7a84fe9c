import type { Answer } from '../../clients/typescript/src/index.js'
import { documentContent, requestContent } from './content.js'
import type { World } from './world.js'

type Parent = string | null

/** What the records of every order have. */
export interface Placed {
  readonly id: string
  readonly name: string
  readonly sortOrder: number
  readonly folderId?: Parent
  readonly parentFolderId?: Parent
}

/** A kind of record that stands in an order below a parent, and how a typed client makes, moves and lists those. */
export interface OrderedKind {
  readonly kind: 'requests' | 'documents' | 'folders'
  /** The field that names the parent. */
  readonly parent: 'folderId' | 'parentFolderId'
  make(world: World, collectionId: string, name: string, into: Parent): Promise<Answer<Placed>>
  move(world: World, id: string, index: number, to: Parent): Promise<Answer<unknown>>
  reorder(world: World, collectionId: string, order: readonly string[], to: Parent): Promise<Answer<undefined>>
  list(world: World, collectionId: string): Promise<readonly Placed[]>
}

const sender = (world: World) => world.client(world.owner).request

/** The ways of each kind, by its name in paths. */
export const ways: Readonly<Record<OrderedKind['kind'], OrderedKind>> = {
  requests: {
    kind: 'requests',
    parent: 'folderId',
    make: (world, collectionId, name, folderId) =>
      sender(world)('POST', '/collections/{collectionId}/requests', {
        path: { collectionId },
        body: { ...requestContent, name, folderId }
      }),
    move: (world, id, index, folderId) =>
      sender(world)('PUT', '/requests/{id}/move', { path: { id }, body: { folderId, index } }),
    reorder: (world, collectionId, orderedRequestIds, folderId) =>
      sender(world)('PUT', '/collections/{collectionId}/requests/reorder', {
        path: { collectionId },
        body: { folderId, orderedRequestIds }
      }),
    list: async (world, collectionId) =>
      (await sender(world)('GET', '/collections/{collectionId}/requests', { path: { collectionId } })).body.requests
  },
  documents: {
    kind: 'documents',
    parent: 'folderId',
    make: (world, collectionId, name, folderId) =>
      sender(world)('POST', '/collections/{collectionId}/documents', {
        path: { collectionId },
        body: { ...documentContent, name, folderId }
      }),
    move: (world, id, index, folderId) =>
      sender(world)('PUT', '/documents/{id}/move', { path: { id }, body: { folderId, index } }),
    reorder: (world, collectionId, orderedDocumentIds, folderId) =>
      sender(world)('PUT', '/collections/{collectionId}/documents/reorder', {
        path: { collectionId },
        body: { folderId, orderedDocumentIds }
      }),
    list: async (world, collectionId) =>
      (await sender(world)('GET', '/collections/{collectionId}/documents', { path: { collectionId } })).body.documents
  },
  folders: {
    kind: 'folders',
    parent: 'parentFolderId',
    make: (world, collectionId, name, parentFolderId) =>
      sender(world)('POST', '/collections/{collectionId}/folders', {
        path: { collectionId },
        body: { name, parentFolderId }
      }),
    move: (world, id, sortOrder, parentFolderId) =>
      sender(world)('PUT', '/folders/{id}/move', { path: { id }, body: { parentFolderId, sortOrder } }),
    reorder: (world, collectionId, orderedFolderIds, parentFolderId) =>
      sender(world)('PUT', '/collections/{collectionId}/folders/reorder', {
        path: { collectionId },
        body: { parentFolderId, orderedFolderIds }
      }),
    list: async (world, collectionId) =>
      (await sender(world)('GET', '/collections/{collectionId}/folders', { path: { collectionId } })).body.folders
  }
}

export const orderedKinds: readonly OrderedKind[] = Object.values(ways)

/** The names of the five records that tests begin with. */
export const NAMES = ['a', 'b', 'c', 'd', 'e']

/** Ways to make, move and list records of one kind, on behalf of the owner. */
export function inOrder(kind: OrderedKind, world: () => World) {
  const make = async (collectionId: string, name: string, into: Parent = null) =>
    (await kind.make(world(), collectionId, name, into)).body.id
  return {
    make,
    /** A collection with five of them at its root. */
    async five() {
      const collectionId = await world().collection()
      const made: string[] = []
      for (const name of NAMES) made.push(await make(collectionId, name))
      return { collectionId, ids: made }
    },
    move: (id: string | undefined, index: number, to: Parent = null) => kind.move(world(), id ?? '', index, to),
    reorder: (collectionId: string, order: readonly (string | undefined)[], to: Parent = null) =>
      kind.reorder(
        world(),
        collectionId,
        order.map((id) => id ?? ''),
        to
      ),
    list: (collectionId: string) => kind.list(world(), collectionId)
  }
}

/** The names of those below one parent, in the order of the list, as one word. */
export function namesIn(parent: OrderedKind['parent'], list: readonly Placed[], place: Parent = null): string {
  return list.flatMap((record) => (record[parent] === place ? [record.name] : [])).join('')
}
