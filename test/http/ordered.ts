import { documentContent, requestContent } from './content.js'
import { listed, succeeded, type World } from './world.js'

type Parent = string | null

/** A record that stands in an order below a parent. */
export interface Placed {
  readonly id: string
  readonly name: string
  readonly sortOrder: number
  /** The folder that it is in, or below. */
  readonly parent: Parent
}

export const ORDERED = ['requests', 'documents', 'folders'] as const
export type Ordered = (typeof ORDERED)[number]
const CONTENTS = { requests: requestContent, documents: documentContent, folders: {} }

/** How the owner makes, moves and lists records of a kind that stands in an order. */
export function ways(world: World, kind: Ordered) {
  const parent = kind === 'folders' ? 'parentFolderId' : 'folderId'
  const { post, put, delete: remove } = world.by(world.owner)
  const placed = (record: unknown): Placed => {
    const { id, name, sortOrder, [parent]: into } = Object(record)
    return { id, name, sortOrder, parent: into }
  }
  return {
    make: async (collectionId: string, name: string, into: Parent = null) => {
      const body = { ...CONTENTS[kind], name, [parent]: into }
      return placed(succeeded(await post(`/collections/${collectionId}/${kind}`, body)).body)
    },
    move: async (id = '', index: number, to: Parent = null) => {
      const body = { [parent]: to, [kind === 'folders' ? 'sortOrder' : 'index']: index }
      return succeeded(await put(`/${kind}/${id}/move`, body))
    },
    list: async (collectionId: string) => (await listed(world, `/collections/${collectionId}/${kind}`)).map(placed),
    remove: async (id = '') => succeeded(await remove(`/${kind}/${id}`))
  }
}
