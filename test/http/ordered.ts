import type { Fields, Reply } from './client.js'
import { items } from './kinds.js'
import { listed, type World } from './world.js'

/** A kind of record that stands in an order below a parent. */
interface OrderedKind {
  readonly kind: string
  readonly content: object
  /** The field that names the parent. */
  readonly parent: string
  /** The list in a request to reorder. */
  readonly ids: string
}

export const orderedKinds: readonly OrderedKind[] = [
  ...items.map(({ path, content, ordered }) => ({ kind: path, content, parent: 'folderId', ids: ordered })),
  { kind: 'folders', content: {}, parent: 'parentFolderId', ids: 'orderedFolderIds' }
]

/** The names of the five records that tests begin with. */
export const NAMES = ['a', 'b', 'c', 'd', 'e']

/** Ways to make, move and list records of one kind, on behalf of the owner. */
export function inOrder({ kind, content, parent, ids }: OrderedKind, world: () => World) {
  const make = (collectionId: string, name: string, more: object = {}) =>
    world().make(`collections/${collectionId}/${kind}`, { ...content, name, ...more })
  const put = (path: string, body: object): Promise<Reply> => world().by(world().owner).put(path, body)
  return {
    make,
    /** A collection with five of them at its root. */
    async five() {
      const collectionId = await world().collection()
      const made: string[] = []
      for (const name of NAMES) made.push(await make(collectionId, name))
      return { collectionId, ids: made }
    },
    move: (id: string | undefined, index: number, to: string | null = null) =>
      put(`/${kind}/${id}/move`, { [parent]: to, [kind === 'folders' ? 'sortOrder' : 'index']: index }),
    reorder: (collectionId: string, order: readonly (string | undefined)[], to: string | null = null) =>
      put(`/collections/${collectionId}/${kind}/reorder`, { [parent]: to, [ids]: order }),
    list: (collectionId: string) => listed(world(), `/collections/${collectionId}/${kind}`)
  }
}

/** The names of those below one parent, in the order of the list, as one word. */
export function namesIn(parent: string, list: readonly Fields[], place: string | null = null): string {
  return list.flatMap((record) => (record[parent] === place ? [record.name] : [])).join('')
}
