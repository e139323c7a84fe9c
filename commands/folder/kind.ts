import { z } from 'zod'
import type { attribution } from '../../projections/define.js'
import { documentsTable } from '../../projections/documents.js'
import { foldersTable } from '../../projections/folders.js'
import { attributionOf, splice } from '../../projections/record.js'
import { requestsTable } from '../../projections/requests.js'
import { folderSequence } from '../../projections/sequences.js'
import type { NewEvent } from '../../src/log/event.js'
import type { ReadStore, Row } from '../../src/storage/storage.js'
import { type MemberKind, type Return, returning, standingOf, stepsNamed } from '../kind.js'
import { nameOf } from '../named.js'
import { emitFolder, type FolderContent } from './events.js'
import { descendants } from './tree.js'

export type FolderRow = Row<typeof foldersTable.columns>

const named = { kind: 'folder', label: 'Folder' } as const

/** What of a folder is in the body of its row. */
export const folderBody = z.object({ name: z.string(), marker: z.string().nullable() })
const bodyOf = (row: Row) => folderBody.parse(JSON.parse(row.body))

export const folderKind: MemberKind<'Folder', Return & FolderContent, typeof foldersTable.columns> = {
  ...named,
  plural: 'folders',
  table: foldersTable,
  isMember: true,
  steps: { ...stepsNamed('Folder', ['Moved']), whole: null },
  sequence: folderSequence,
  reordered: 'FoldersReordered',
  record(row: FolderRow & Row<typeof attribution>, place) {
    const { collectionId, inside: parentFolderId, sortOrder } = standingOf(row)
    return splice(row.body, { collectionId, parentFolderId, sortOrder: place ?? sortOrder, ...attributionOf(row) })
  },
  parentOf: (row) => standingOf(row).inside,
  removal,
  restorable(row, coming) {
    const { inside: parentFolderId, ...place } = standingOf(row)
    return returning(named, row, coming, { ...bodyOf(row), ...place, parentFolderId })
  },
  restoring: (past, { id }, _, ifRevision) => ({ type: 'UpdateFolder', id, ...bodyOf(past), ifRevision })
}

/** The deletions of a folder and of all inside it, from the inside out; each tells what goes with it. */
async function removal({ id, collectionId }: FolderRow, read: ReadStore): Promise<readonly NewEvent[]> {
  const [folders, requests, documents] = await Promise.all([
    read.list(foldersTable, 'byCollection', [collectionId]),
    read.list(requestsTable, 'byCollection', [collectionId], { body: false }),
    read.list(documentsTable, 'byCollection', [collectionId], { body: false })
  ])
  const names = new Map(folders.map((row) => [row.id, nameOf(row)]))
  const held = (items: typeof requests, container: string) =>
    items.flatMap((item) => (item.container === container ? [item.id] : []))
  const inside = descendants(id, folders)
  return [id, ...inside].toReversed().map((one) =>
    emitFolder(one, 'FolderDeleted', {
      collectionId,
      name: names.get(one) ?? '',
      folders: one === id ? [...inside] : [],
      requests: held(requests, one),
      documents: held(documents, one)
    })
  )
}
