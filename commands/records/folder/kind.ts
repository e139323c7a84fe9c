import type { NewEvent } from '../../../src/log/event.js'
import type { ReadStore, Row } from '../../../src/storage/storage.js'
import { ATTRIBUTION } from '../../content.js'
import { attributionOf, nameOf, splice } from '../../record.js'
import type { attribution } from '../../table.js'
import { documentsTable } from '../document/table.js'
import { contentsOf } from '../fields.js'
import { itemPositionOf, type MemberKind, type RestoredData, restoredEvent, stepsNamed } from '../kind.js'
import { requestsTable } from '../request/table.js'
import { folderSequence } from '../sequences.js'
import { emitFolder, type FolderContent } from './events.js'
import { folderFields } from './fields.js'
import { foldersTable } from './table.js'

export type FolderRow = Row<typeof foldersTable.columns>

const named = { kind: 'folder', label: 'Folder', title: 'Folder' } as const

const { contentOf, whole } = contentsOf(folderFields, (row) => JSON.parse(row.body))
/** The content as a command brings it, made whole by what the folder has. */
export const wholeFolderContent = whole

export const folderKind: MemberKind<'Folder', RestoredData & FolderContent, typeof foldersTable.columns> = {
  ...named,
  fields: folderFields,
  shown: [...Object.keys(folderFields), 'parentFolderId', 'collectionId', 'sortOrder', ...ATTRIBUTION],
  plural: 'folders',
  path: 'folders',
  table: foldersTable,
  isMember: true,
  steps: { ...stepsNamed('Folder', ['Moved']), whole: null },
  sequence: folderSequence,
  reordered: 'FoldersReordered',
  record(row: FolderRow & Row<typeof attribution>, place) {
    const { collectionId, inside: parentFolderId, sortOrder } = itemPositionOf(row)
    return splice(row.body, { collectionId, parentFolderId, sortOrder: place ?? sortOrder, ...attributionOf(row) })
  },
  parentOf: (row) => itemPositionOf(row).inside,
  removal,
  restorable(row, coming) {
    const { inside: parentFolderId, ...place } = itemPositionOf(row)
    return restoredEvent(named, row, coming, { ...contentOf(row), ...place, parentFolderId })
  },
  restoring: (past, { id }, _, ifRevision) => ({ type: 'UpdateFolder', id, ...contentOf(past), ifRevision })
}

/** The deletions of a folder and of all inside it, from the inside out; each tells what goes with it. */
async function removal({ id, collectionId }: FolderRow, read: ReadStore): Promise<readonly NewEvent[]> {
  const [folders, requests, documents] = await Promise.all([
    read.list(foldersTable, 'byCollection', [collectionId]),
    read.list(requestsTable, 'byCollection', [collectionId], { body: false }),
    read.list(documentsTable, 'byCollection', [collectionId], { body: false })
  ])
  const names = new Map(folders.map((row) => [row.id, nameOf(row)]))
  const [held, written] = [byContainer(requests), byContainer(documents)]
  const inside = descendants(id, folders)
  return [id, ...inside].toReversed().map((one) =>
    emitFolder(one, 'FolderDeleted', {
      collectionId,
      name: names.get(one) ?? '',
      folders: one === id ? [...inside] : [],
      requests: [...(held.get(one) ?? [])],
      documents: [...(written.get(one) ?? [])]
    })
  )
}

/** What there is to know of a folder in order to tell what lies below or above it. */
export interface Branch {
  readonly id: string
  readonly container: string
}

/** The ids of all folders inside a folder, each before those inside it. However deep they nest, the stack does not grow. */
export function descendants(id: string, folders: readonly Branch[]): readonly string[] {
  const children = byContainer(folders)
  // What is added is gone through as well, and once: an older hub may have left folders that go round in a circle.
  const found = new Set([id])
  for (const above of found) for (const child of children.get(above) ?? []) found.add(child)
  return [...found].slice(1)
}

/** The ids of what is in each container, in the order in which it comes. */
export function byContainer(members: readonly Branch[]): ReadonlyMap<string, readonly string[]> {
  const children = new Map<string, string[]>()
  for (const { id, container } of members) {
    const known = children.get(container)
    if (known) known.push(id)
    else children.set(container, [id])
  }
  return children
}

/** The ids of the folders that a folder lies in, from the inside out. */
export function ancestors(id: string, byId: ReadonlyMap<string, Branch>): readonly string[] {
  const found = new Set<string>()
  for (let above = parentOf(id, byId); above !== undefined && !found.has(above); above = parentOf(above, byId))
    found.add(above)
  return [...found]
}

function parentOf(id: string, byId: ReadonlyMap<string, Branch>): string | undefined {
  return byId.get(byId.get(id)?.container ?? '')?.id
}
