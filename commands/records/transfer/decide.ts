import { errors } from '../../../src/errors.js'
import { LIMITS, slices } from '../../../src/limits.js'
import type { NewEvent } from '../../../src/log/event.js'
import type { ReadStore } from '../../../src/storage/storage.js'
import { type Deciders, requireCollection } from '../../context.js'
import { nameOf } from '../../record.js'
import { existingCollection } from '../collection/decide.js'
import { parentIn } from '../folder/decide.js'
import { emitFolder, folderBody } from '../folder/events.js'
import { descendants, type FolderRow, folderKind } from '../folder/kind.js'
import { foldersTable } from '../folder/table.js'
import type { ItemKind } from '../item/kind.js'
import { endOfFolders } from '../item/position.js'
import { changeable, type Target } from '../kind.js'
import { documentKind, requestKind } from '../kinds.js'

const itemKinds: readonly ItemKind[] = [requestKind, documentKind]

/** So many items are read at once. */
const READ_TOGETHER = 50

export type TransferCommand = {
  readonly type: 'TransferFolder'
  /** The folder that goes, at one of these revisions. */
  readonly folder: Target
  /** What it is there. */
  readonly id: string
  /** What the folders inside it are there, by what they are here. */
  readonly inner: ReadonlyMap<string, string>
  readonly collectionId: string
  readonly parentFolderId: string | null
}

/**
 * Decides on folders that go to another collection with all that they hold, behind the last one there: for who may change both. A
 * folder belongs to its collection for good, so those are made anew; requests and documents keep their ids, and with them their
 * history and discussions.
 */
export const transferDeciders: Deciders<TransferCommand> = {
  async TransferFolder({ folder, id, inner, collectionId, parentFolderId }, context) {
    const { caller, read } = context
    const row = await changeable(folderKind, folder, context)
    requireCollection(caller, collectionId)
    await existingCollection(collectionId, read)
    if (collectionId === row.collectionId) throw errors.folderThereAlready()
    if (parentFolderId) await parentIn(collectionId, parentFolderId, read)
    const all = await read.list(foldersTable, 'byCollection', [row.collectionId])
    const ids = new Map([[row.id, id]])
    for (const one of descendants(row.id, all)) {
      const there = inner.get(one)
      // It has come into the folder since the ids were drawn.
      if (there === undefined) throw errors.changed()
      ids.set(one, there)
    }
    const top = { parentFolderId, sortOrder: await endOfFolders(collectionId, parentFolderId ?? collectionId, read) }
    const folders = inOrderOf(ids, all)
    return [
      ...folders.map((one) => folderMade(one, ids, collectionId, one.id === row.id ? top : null)),
      ...(await itemsMoved(row.collectionId, collectionId, ids, read)),
      ...folders.toReversed().map((one) => folderGone(one, one.id === row.id ? [...ids.keys()].slice(1) : []))
    ]
  }
}

/** The rows of these folders, each before those inside it. */
function inOrderOf(ids: ReadonlyMap<string, string>, all: readonly FolderRow[]): readonly FolderRow[] {
  const byId = new Map(all.map((row) => [row.id, row]))
  return [...ids.keys()].flatMap((id) => byId.get(id) ?? [])
}

function folderMade(
  row: FolderRow,
  ids: ReadonlyMap<string, string>,
  collectionId: string,
  top: { readonly parentFolderId: string | null; readonly sortOrder: number } | null
): NewEvent {
  const place = top ?? { parentFolderId: ids.get(row.container) ?? null, sortOrder: row.sortOrder }
  const content = folderBody.parse(JSON.parse(row.body))
  return emitFolder(ids.get(row.id) ?? row.id, 'FolderCreated', { collectionId, ...place, ...content })
}

/** It holds nothing any more but the folders that are named. */
function folderGone(row: FolderRow, folders: readonly string[]): NewEvent {
  const { id, collectionId } = row
  const nothing = { requests: [], documents: [] }
  return emitFolder(id, 'FolderDeleted', { collectionId, name: nameOf(row), folders: [...folders], ...nothing })
}

/** The changes by which what is in the folders stands in those that are there in their place. */
async function itemsMoved(
  previousCollectionId: string,
  collectionId: string,
  ids: ReadonlyMap<string, string>,
  read: ReadStore
): Promise<readonly NewEvent[]> {
  const events: NewEvent[] = []
  let [count, characters] = [ids.size, 0]
  for (const kind of itemKinds) {
    const listed = await read.list(kind.table, 'byCollection', [previousCollectionId], { body: false })
    const held = listed.filter(({ container }) => ids.has(container))
    count += held.length
    if (count > LIMITS.copyItems.max) throw errors.transferTooLarge()
    for (const some of slices(held, READ_TOGETHER)) {
      const rows = await read.getAll(
        kind.table,
        some.map(({ id }) => id)
      )
      for (const row of rows) {
        characters += row.body.length
        if (characters > LIMITS.copyContent.max) throw errors.transferTooLarge()
        const place = { collectionId, folderId: ids.get(row.container) ?? null, sortOrder: row.sortOrder }
        const content = kind.whole(JSON.parse(row.body), row)
        events.push(kind.updated(row.id, { ...place, previousCollectionId, content }))
      }
    }
  }
  return events
}
