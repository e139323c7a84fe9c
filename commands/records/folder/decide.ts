import { errors } from '../../../src/errors.js'
import type { NewEvent } from '../../../src/log/event.js'
import type { ReadStore } from '../../../src/storage/storage.js'
import { type Deciders, requireCollection } from '../../context.js'
import { existingCollection } from '../collection/decide.js'
import { emitCollection } from '../collection/events.js'
import type { SubmittedOf } from '../fields.js'
import { endOfFolders } from '../item/position.js'
import { changeable, type Target } from '../kind.js'
import { MOVES_MAX, orderAll, orderAt } from '../order.js'
import { emitFolder } from './events.js'
import type { folderFields } from './fields.js'
import { ancestors, byContainer, descendants, type FolderRow, folderKind, wholeFolderContent } from './kind.js'
import { foldersTable } from './table.js'

type Submitted = SubmittedOf<typeof folderFields>

export type FolderCommand =
  | ({
      readonly type: 'CreateFolder'
      readonly id: string
      readonly collectionId: string
      readonly parentFolderId: string | null
    } & Submitted)
  | ({ readonly type: 'UpdateFolder' } & Submitted & Target)
  /** `index` is the place among the new siblings; without it, the folder keeps its place or goes to the end. */
  | ({
      readonly type: 'MoveFolder'
      readonly parentFolderId: string | null
      readonly index?: number | undefined
    } & Target)
  | ({ readonly type: 'DeleteFolder' } & Target)
  /** Without `parentFolderId`, the folders stay below the parent that they have. */
  | {
      readonly type: 'ReorderFolders'
      readonly collectionId: string
      readonly parentFolderId: string | null | undefined
      readonly orderedFolderIds: readonly string[]
    }

/** Decides on folders: they nest, and everyone with access to the collection may change them. */
export const folderDeciders: Deciders<FolderCommand> = {
  async CreateFolder({ type: _, id, collectionId, parentFolderId, ...given }, { caller, read }) {
    requireCollection(caller, collectionId)
    await existingCollection(collectionId, read)
    if (parentFolderId) await parentIn(collectionId, parentFolderId, read)
    const sortOrder = await endOfFolders(collectionId, parentFolderId ?? collectionId, read)
    return [
      emitFolder(id, 'FolderCreated', {
        ...{ collectionId, parentFolderId, sortOrder },
        ...wholeFolderContent(given, null)
      })
    ]
  },
  async UpdateFolder(command, context) {
    const row = await changeable(folderKind, command, context)
    const content = wholeFolderContent(command, row)
    if (JSON.stringify({ id: row.id, ...content }) === row.body) return []
    return [emitFolder(row.id, 'FolderUpdated', { collectionId: row.collectionId, ...content })]
  },
  async MoveFolder(command, context) {
    const row = await changeable(folderKind, command, context)
    return move(command, row, await foldersOf(row.collectionId, context.read))
  },
  async DeleteFolder(command, context) {
    return folderKind.removal(await changeable(folderKind, command, context), context.read)
  },
  async ReorderFolders(command, { caller, read }) {
    requireCollection(caller, command.collectionId)
    await existingCollection(command.collectionId, read)
    return reorder(command, await foldersOf(command.collectionId, read))
  }
}

type MoveFolder = Extract<FolderCommand, { type: 'MoveFolder' }>

function move(command: MoveFolder, row: FolderRow, folders: readonly FolderRow[]): readonly NewEvent[] {
  const { id, parentFolderId } = command
  const { collectionId } = row
  if (parentFolderId) {
    if (!folders.some((folder) => folder.id === parentFolderId)) throw errors.parentFolderNotFound()
    if (parentFolderId === id || descendants(id, folders).includes(parentFolderId)) throw errors.folderInItself()
  }
  const container = parentFolderId ?? collectionId
  const among = folders.filter((folder) => folder.container === container)
  const stays = row.container === container
  const at = among.findIndex((folder) => folder.id === id)
  const index = command.index ?? among.length
  if (stays && at === Math.min(index, among.length - 1)) return []
  const { own, respaced } = orderAt(
    among.filter((folder) => folder.id !== id),
    index
  )
  const moved = emitFolder(id, 'FolderMoved', { collectionId, parentFolderId, sortOrder: own })
  if (respaced.length === 0) return [moved]
  return [emitCollection(collectionId, 'FoldersReordered', { parentFolderId, folders: [...respaced] }), moved]
}

type ReorderFolders = Extract<FolderCommand, { type: 'ReorderFolders' }>

function reorder(command: ReorderFolders, folders: readonly FolderRow[]): readonly NewEvent[] {
  const { collectionId, parentFolderId, orderedFolderIds } = command
  const listed = new Set(orderedFolderIds)
  if (listed.size !== orderedFolderIds.length) throw errors.folderTwice()
  const byId = new Map(folders.map((folder) => [folder.id, folder]))
  const ordered = orderedFolderIds.flatMap((id) => byId.get(id) ?? [])
  if (ordered.length < orderedFolderIds.length) throw errors.notFound('Folder')
  if (parentFolderId === undefined) {
    return [...byContainer(ordered)].flatMap(([container, siblings]) =>
      reorderBelow(collectionId, container === collectionId ? null : container, siblings, folders)
    )
  }
  if (parentFolderId && !byId.has(parentFolderId)) throw errors.parentFolderNotFound()
  const within = parentFolderId && [parentFolderId, ...ancestors(parentFolderId, byId)].some((id) => listed.has(id))
  if (within) throw errors.folderInItself()
  return reorderBelow(collectionId, parentFolderId, orderedFolderIds, folders)
}

/** Puts the listed folders first below a parent; those that it holds besides follow in the order that they have. */
function reorderBelow(
  collectionId: string,
  parentFolderId: string | null,
  orderedFolderIds: readonly string[],
  folders: readonly FolderRow[]
): readonly NewEvent[] {
  const listed = new Set(orderedFolderIds)
  const held = folders.filter(({ container }) => container === (parentFolderId ?? collectionId))
  const sequence = [...orderedFolderIds, ...held.map(({ id }) => id).filter((id) => !listed.has(id))]
  const changed = orderAll(sequence, held)
  const here = new Set(held.map(({ id }) => id))
  const arriving = changed.filter(({ id }) => !here.has(id))
  const moves = arriving.length > MOVES_MAX ? [] : arriving
  const isMove = new Set(moves.map(({ id }) => id))
  const staying = changed.filter(({ id }) => !isMove.has(id))
  return [
    ...(staying.length > 0
      ? [emitCollection(collectionId, 'FoldersReordered', { parentFolderId, folders: staying })]
      : []),
    ...moves.map(({ id, sortOrder }) => emitFolder(id, 'FolderMoved', { collectionId, parentFolderId, sortOrder }))
  ]
}

/** Refuses a folder that is not of the collection. */
export async function parentIn(collectionId: string, parentFolderId: string, read: ReadStore): Promise<void> {
  const parent = await read.get(foldersTable, parentFolderId)
  if (parent?.collectionId !== collectionId) throw errors.parentFolderNotFound()
}

function foldersOf(collectionId: string, read: ReadStore): Promise<readonly FolderRow[]> {
  return read.list(foldersTable, 'byCollection', [collectionId], { body: false })
}
