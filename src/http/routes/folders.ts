import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { reference } from '../../../commands/content.js'
import { newOf, sentOf } from '../../../commands/records/fields.js'
import { folderFields } from '../../../commands/records/folder/fields.js'
import { folderKind } from '../../../commands/records/folder/kind.js'
import { records } from '../answers.js'
import { forUsers, routes } from '../route.js'
import { destination, idParams, ids, index } from './input.js'
import { memberRoutes } from './items.js'
import { shownBy } from './lockables.js'

const creation = newOf(folderFields).extend({ parentFolderId: reference })
const content = sentOf(folderFields)
const order = z.object({ orderedFolderIds: ids, parentFolderId: destination.optional() })
/** `sortOrder` is what clients call the place among the new siblings here. */
const move = z.object({ parentFolderId: destination, sortOrder: index.optional() })

/** Folders of a collection (section 4, Folders), and the move that clients ask for. */
export function folderRoutes(app: FastifyInstance): void {
  memberRoutes(
    app,
    folderKind,
    {
      creation,
      order,
      create: (body, made) => ({ type: 'CreateFolder', ...made, ...body }),
      reorder: ({ orderedFolderIds, parentFolderId }, collectionId) => ({
        type: 'ReorderFolders',
        ...{ collectionId, orderedFolderIds, parentFolderId }
      }),
      remove: (target) => ({ type: 'DeleteFolder', ...target })
    },
    { order: 'below one parent', deletion: 'with all inside it' }
  )
  const route = routes(app, 'folders')
  const shown = shownBy(folderKind)

  const update = forUsers('updateFolder', 'Rename a folder', records.folder, {
    takesIfMatch: true,
    isTagged: true,
    params: idParams,
    body: content
  })
  route('PATCH', '/folders/:id', update, async ({ params, body, ifRevision, changePlaced }) =>
    shown(await changePlaced({ type: 'UpdateFolder', id: params.id, ...body, ifRevision }, folderKind.table))
  )

  const moving = forUsers('moveFolder', 'Move a folder to a place below another parent, or the same', records.folder, {
    takesIfMatch: true,
    isTagged: true,
    params: idParams,
    body: move
  })
  route('PUT', '/folders/:id/move', moving, async ({ params, body, ifRevision, changePlaced }) => {
    const { parentFolderId, sortOrder: index } = body
    const command = { type: 'MoveFolder', id: params.id, parentFolderId, index, ifRevision } as const
    return shown(await changePlaced(command, folderKind.table))
  })
}
