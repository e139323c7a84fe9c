import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { alike, id, name } from '../../../commands/content.js'
import { collectionFields } from '../../../commands/records/collection/fields.js'
import { newOf } from '../../../commands/records/fields.js'
import { descendants, folderKind } from '../../../commands/records/folder/kind.js'
import { foldersTable } from '../../../commands/records/folder/table.js'
import { accessible } from '../../../commands/records/kind.js'
import { collectionKind, environmentKind } from '../../../commands/records/kinds.js'
import { LIMITS } from '../../limits.js'
import { copyOfCollection, copyOfFolder } from '../../records/copy.js'
import type { ReadStore } from '../../storage/storage.js'
import { records } from '../answers.js'
import { placedRecord } from '../reply.js'
import { routes } from '../route.js'
import { destination } from './input.js'

const body = z.object({ name: alike(name, newOf({ name: collectionFields.name }).shape.name) })
const WHOLE =
  'Everything in it gets an id of its own, and is made by who copies it: discussions and the history stay with the original. All of it happens in one commit or nothing does; 413 where it holds too much for one.'

const transferBody = z.object({
  collectionId: id.describe('The collection that it goes to.'),
  parentFolderId: alike(destination.default(null), destination)
})
const TRANSFER =
  'Takes access to both collections. It stands behind the last one there, with all that it holds. The folder and those inside it are made anew there, with ids of their own, and gone here; requests and documents keep their ids, their history and their discussions. All of it happens in one commit or nothing does; 413 where it holds too much for one.'

/**
 * Copies of what holds others, and of environments; and folders that go to another collection. What is in a copy is what whoever
 * makes it may read.
 */
export function copyRoutes(app: FastifyInstance): void {
  routes(app, 'collections')('POST', '/collections/:id/copy', 'copyCollection', records.collection, {
    summary: 'Copy a collection with all that it holds',
    about: `Takes access to the collection, and an account whose \`collectionAccess\` is \`*\`. ${WHOLE}`,
    ...{ body, refuses: [404, 413], isTagged: true },
    handle: ({ hub, readModel, caller, params, body, changePlaced }) =>
      app.filePlaces.hold(caller.userId, async () => {
        await accessible(collectionKind, params.id, caller, readModel)
        const { command, characters } = await copyOfCollection(hub.ledger, { ...params, ...body })
        return placedRecord(collectionKind, await changePlaced(command, collectionKind.table, characters))
      })
  })

  routes(app, 'folders')('POST', '/folders/:id/copy', 'copyFolder', records.folder, {
    summary: 'Copy a folder with all that is in it',
    about: `It stands behind the last one beside the original. ${WHOLE}`,
    ...{ body, refuses: [404, 413], isTagged: true },
    handle: ({ hub, readModel, caller, params, body, changePlaced }) =>
      app.filePlaces.hold(caller.userId, async () => {
        const row = await accessible(folderKind, params.id, caller, readModel)
        const { command, characters } = await copyOfFolder(hub.ledger, row, body.name)
        return placedRecord(folderKind, await changePlaced(command, folderKind.table, characters))
      })
  })

  routes(app, 'folders')('POST', '/folders/:id/transfer', 'transferFolder', records.folder, {
    summary: 'Take a folder to another collection',
    about: TRANSFER,
    ...{ takesIfMatch: true, body: transferBody, refuses: [404, 413], isTagged: true },
    handle: async ({ readModel, params, body, ifRevision, changePlaced }) => {
      const inner = await newIdsInside(readModel, params.id)
      const command = {
        type: 'TransferFolder',
        id: randomUUID(),
        folder: { ...params, ifRevision },
        inner,
        ...body
      } as const
      return placedRecord(folderKind, await changePlaced(command, folderKind.table, LIMITS.copyContent.max))
    }
  })

  routes(app, 'environments')('POST', '/environments/:id/copy', 'copyEnvironment', records.environment, {
    summary: 'Copy an environment with all its values',
    about:
      'Takes access to the environment, and an account whose `environmentAccess` is `*`. Values that are not shared are in the copy too, as whoever may see the environment may read them.',
    ...{ body, refuses: [404], isTagged: true },
    handle: async ({ params, body, changePlaced }) => {
      const command = { type: 'CopyEnvironment', id: randomUUID(), from: params.id, ...body } as const
      return placedRecord(environmentKind, await changePlaced(command, environmentKind.table))
    }
  })
}

/** New ids for the folders inside a folder, by those that they have. */
async function newIdsInside(read: ReadStore, id: string): Promise<ReadonlyMap<string, string>> {
  const row = await read.get(foldersTable, id)
  if (!row) return new Map()
  const all = await read.list(foldersTable, 'byCollection', [row.collectionId], { body: false })
  return new Map(descendants(id, all).map((one) => [one, randomUUID()]))
}
