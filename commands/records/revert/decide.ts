import { errors } from '../../../src/errors.js'
import type { NewEvent } from '../../../src/log/event.js'
import type { Columns, ReadStore, Row, TableSpec } from '../../../src/storage/storage.js'
import { type Deciders, requireAdmin, requireRevision } from '../../context.js'
import { collectionsTable } from '../collection/table.js'
import { folderBody } from '../folder/events.js'
import { requireFolder } from '../item/position.js'
import { itemPositionOf, type RecordKind, recordEvent } from '../kind.js'
import { kinds, MEMBERS, type Restorable, type RestorableKind } from '../kinds.js'
import { locking } from '../lockable.js'
import { isWithin } from '../within.js'

/** What a record is to become again: what it was, or with null nothing, since it had not been there. */
export interface Revert {
  readonly kind: RestorableKind
  readonly id: string
  /** The revision that it has now; refused when it has come to another. */
  readonly revision: number
  readonly to: Restorable | null
}

export type RevertCommand = { readonly type: 'RevertRecords'; readonly reverts: readonly Revert[] }

/**
 * Decides on records that are put back to what they were: a command of the system account and of administrators, for
 * taking back what one token did. All of them or none: 412 when one has changed since it was looked at.
 */
export const revertDeciders: Deciders<RevertCommand> = {
  async RevertRecords({ reverts }, { caller, read }) {
    requireAdmin(caller)
    const events: NewEvent[] = []
    for (const { kind: name, id, revision, to } of reverts) {
      const kind = kinds[name]
      if (to) events.push(...(await change(name, id, revision, to.data, read)))
      else {
        const row = await present(kind.table, id, revision, read)
        await requireEmpty(name, id, read)
        events.push(...(await kind.removal(row, read)))
      }
    }
    return events
  }
}

/** Refuses what holds something: all that was to go from there has gone before, and the rest is somebody's. */
async function requireEmpty(name: RestorableKind, id: string, read: ReadStore): Promise<void> {
  if (name !== 'collection' && name !== 'folder') return
  const index = name === 'collection' ? 'byCollection' : 'byContainer'
  for (const kind of MEMBERS) {
    const [held] = await read.list(kinds[kind].table, index, [id], { limit: 1, body: false })
    if (held) throw errors.changed()
  }
}

/** The events that make of a record what it was. What stood below a record of its kind that is gone stands below none. */
async function change(
  name: RestorableKind,
  id: string,
  revision: number,
  data: Restorable['data'],
  read: ReadStore
): Promise<readonly NewEvent[]> {
  const kind = kinds[name]
  const row = await present(kind.table, id, revision, read)
  if (!kind.isMember && 'deletionLocked' in data) {
    const { content } = data
    const parent = 'parentUuid' in content ? content.parentUuid : null
    const isOrphaned = parent !== null && !(await read.get(kind.table, parent))
    if (await isWithin(parent, id, parentIn(kind, read))) throw errors.environmentInItself()
    const updated = recordEvent(kind, id, 'Updated', isOrphaned ? { ...content, parentUuid: null } : content)
    return [...locking(kind, row, data.deletionLocked), updated]
  }
  if ('parentFolderId' in data) {
    const { collectionId, parentFolderId, sortOrder } = data
    await requireThere(collectionId, parentFolderId, read)
    if (await isWithin(parentFolderId, id, parentIn(kind, read))) throw errors.folderInItself()
    return [
      recordEvent(kind, id, 'Updated', { collectionId, ...folderBody.parse(data) }),
      recordEvent(kind, id, 'Moved', { collectionId, parentFolderId, sortOrder })
    ]
  }
  if (!('folderId' in data)) throw new TypeError(`A record of another kind is no ${name}.`)
  const { collectionId, folderId, sortOrder, content } = data
  await requireThere(collectionId, folderId, read)
  const now = itemPositionOf(row).collectionId
  const previous = now === collectionId ? {} : { previousCollectionId: now }
  return [recordEvent(kind, id, 'Updated', { collectionId, folderId, sortOrder, content, ...previous })]
}

/** Refuses a place that is no more. */
async function requireThere(collectionId: string, folderId: string | null, read: ReadStore): Promise<void> {
  if (!(await read.get(collectionsTable, collectionId))) throw errors.collectionDeleted()
  await requireFolder(collectionId, folderId, read)
}

/** What a record stands below, by now: others have been moved. */
const parentIn = (kind: RecordKind, read: ReadStore) => async (id: string) => {
  const row: Row | null = await read.get(kind.table, id)
  return row && kind.parentOf(row)
}

async function present<C extends Columns>(
  table: TableSpec<C>,
  id: string,
  revision: number,
  read: ReadStore
): Promise<Row<C>> {
  const row = await read.get(table, id)
  if (!row) throw errors.changed()
  requireRevision(row, [revision])
  return row
}
