import { items, lockables } from './kinds.js'
import type { World } from './world.js'

/** A record that has a tag, and requests about it. */
export interface Tagged {
  readonly path: string
  readonly method: 'PUT' | 'PATCH'
  /** A body that changes the record to something new. */
  body(name: string): unknown
  readonly admin?: true
}

/** A record of each kind that has tags. */
export const taggedKinds: Readonly<Record<string, (world: World) => Promise<Tagged>>> = {
  ...Object.fromEntries(
    lockables.map(({ path: kind, content }) => [
      kind,
      async (world: World): Promise<Tagged> => {
        const path = `/${kind}/${await world.make(kind, { name: 'One' })}`
        return { path, method: 'PUT', body: (name) => ({ ...content, name }) }
      }
    ])
  ),
  ...Object.fromEntries(
    items.map(({ path: kind, content }) => [
      kind,
      async (world: World): Promise<Tagged> => {
        const collectionId = await world.collection()
        const path = `/${kind}/${await world.make(`collections/${collectionId}/${kind}`, content)}`
        return { path, method: 'PUT', body: (name) => ({ ...content, collectionId, name }) }
      }
    ])
  ),
  folders: async (world) => {
    const path = `/folders/${await world.folder(await world.collection())}`
    return { path, method: 'PATCH', body: (name) => ({ name }) }
  },
  users: async (world) => {
    const { id, name } = await world.user()
    return {
      path: `/admin/users/${id}`,
      method: 'PUT',
      body: (more) => ({ name: name + more }),
      admin: true
    }
  }
}

/** For each kind, a request that changes a record without replacing it. */
export const otherChanges: Readonly<
  Record<string, (world: World, path: string) => readonly [path: string, body: unknown]>
> = {
  folders: (_, path) => [`${path}/move`, { parentFolderId: null, sortOrder: 0 }],
  requests: (_, path) => [`${path}/move`, { folderId: null, index: 0 }],
  documents: (_, path) => [`${path}/move`, { folderId: null, index: 0 }],
  collections: (_, path) => [`/admin${path}`, { deletionLocked: true }],
  environments: (_, path) => [`/admin${path}`, { deletionLocked: true }],
  snippets: (_, path) => [`/admin${path}`, { deletionLocked: true }]
}
