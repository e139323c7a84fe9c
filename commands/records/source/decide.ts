import { errors } from '../../../src/errors.js'
import type { NewEvent } from '../../../src/log/event.js'
import type { ReadStore, Row } from '../../../src/storage/storage.js'
import type { Origin } from '../../content.js'
import { type Caller, type Context, type Deciders, requireCollection, requireRevision } from '../../context.js'
import { SYSTEM_ID } from '../../people/user/system.js'
import { createdBy } from '../../table.js'
import { existingCollection } from '../collection/decide.js'
import { emitCollection } from '../collection/events.js'
import type { CollectionContent } from '../collection/fields.js'
import { collectionsTable } from '../collection/table.js'
import type { DocumentContent } from '../document/fields.js'
import type { ContentOf } from '../fields.js'
import { emitFolder } from '../folder/events.js'
import type { folderFields } from '../folder/fields.js'
import { foldersTable } from '../folder/table.js'
import { itemPositionOf, recordEvent } from '../kind.js'
import { collectionKind, documentKind, kinds, MEMBERS, type Member, requestKind } from '../kinds.js'
import { requireWildcard } from '../lockable.js'
import type { RequestContent } from '../request/fields.js'
import { tombstonesTable } from '../undelete/table.js'
import { isAnyWithin } from '../within.js'
import { type EnvironmentChange, environmentEvents } from './environments.js'
import { emitSource, type SourceImported } from './events.js'

/** Where something of the file goes: in a folder of the collection, or at its root. */
interface Place {
  readonly parentId: string | null
  readonly sortOrder: number
}

/** What a folder, a request or a document is to be. */
export type MemberContent =
  | (Place & { readonly kind: 'folder'; readonly content: ContentOf<typeof folderFields> })
  | (Place & { readonly kind: 'request'; readonly content: RequestContent })
  | (Place & { readonly kind: 'document'; readonly content: DocumentContent })

/**
 * One change of an import. `revision` is what the record has come to, `follows` how far the stream of a deleted one has: all of it
 * is refused where that is no longer so. What is deleted holds nothing then that is not deleted before it.
 */
export type SourceChange = { readonly id: string } & (
  | ({ readonly what: 'create' } & MemberContent)
  | ({
      readonly what: 'bring back'
      readonly follows: number
      readonly deletionPositions: readonly number[]
    } & MemberContent)
  | ({ readonly what: 'update'; readonly revision: number } & MemberContent)
  | { readonly what: 'delete'; readonly kind: Member; readonly name: string; readonly revision: number }
)

export interface SourceCommand {
  readonly type: 'ImportSource'
  /** The collection; of a file of environments alone the source. */
  readonly id: string
  /** The content that it gets; the revision of one that is there, null for a new one. Null leaves it as it is. */
  readonly collection: { readonly content: CollectionContent; readonly revision: number | null } | null
  /** Folders come before what is in them, and deletions last, from the inside out. */
  readonly changes: readonly SourceChange[]
  /** An environment comes before those that add to it. */
  readonly environments: readonly EnvironmentChange[]
  /** The position of the log at which the changes were found. */
  readonly asOf: number
  readonly source: { readonly id: string; readonly data: SourceImported }
}

/**
 * Decides on all that one file brings, as a whole: the same may do it who may do each of it. 412 where something is not any more as
 * it was when the changes were found. What is in a collection comes last, right before the event of the import.
 */
export const sourceDeciders: Deciders<SourceCommand> = {
  async ImportSource(command, context) {
    const { environments, asOf, source } = command
    const beside = await environmentEvents(environments, asOf, context)
    const inside = source.data.collectionId === null ? [] : await collectionEvents(command, context)
    const events = [...beside, ...inside]
    return events.length === 0 ? [] : [...events, emitSource(source.id, 'SourceImported', source.data)]
  }
}

async function collectionEvents(
  { id, collection, changes, asOf }: SourceCommand,
  { caller, read, now }: Context
): Promise<readonly NewEvent[]> {
  const isNew = collection?.revision === null
  if (isNew) requireWildcard(caller, collectionKind)
  else {
    requireCollection(caller, id)
    const row = await existingCollection(id, read)
    if (collection) requireRevision(row, [collection.revision ?? 0])
    await requireNothingGone(id, asOf, read)
  }
  if (isNew && (await read.get(collectionsTable, id))) throw errors.changed()
  await requireFolders(id, changes, read)
  await requireAsFound(id, changes, caller, read)
  await requireAbove(id, changes, read)
  await requireEmptied(id, changes, read)
  const by = createdBy({ at: now, actorId: caller.userId })
  const what = isNew ? 'CollectionCreated' : 'CollectionUpdated'
  return [
    ...(collection ? [emitCollection(id, what, collection.content)] : []),
    ...changes.flatMap((change) => eventsOf(id, change, by))
  ]
}

/** Refuses where something has left the collection since: an id that was free may have a past by now. */
async function requireNothingGone(collectionId: string, asOf: number, read: ReadStore): Promise<void> {
  const options = { reverse: true, limit: 1, body: false }
  const [newest] = await read.list(tombstonesTable, 'byCollection', [collectionId], options)
  if (newest && newest.position > asOf) throw errors.changed()
}

/** Refuses folders that are neither in the collection nor made by the import. */
async function requireFolders(collectionId: string, changes: readonly SourceChange[], read: ReadStore): Promise<void> {
  const made = new Set(changes.flatMap((one) => (one.kind === 'folder' && one.what !== 'delete' ? [one.id] : [])))
  const wanted = changes.flatMap((one) => (one.what === 'delete' ? [] : (one.parentId ?? [])))
  const others = [...new Set(wanted)].filter((one) => !made.has(one))
  const there = await read.getAll(foldersTable, others, { body: false })
  if (there.filter((row) => row.collectionId === collectionId).length < others.length) throw errors.changed()
}

/** Refuses a folder that goes into itself, or into what is below it by now: somebody may have moved one that the import leaves alone. */
async function requireAbove(collectionId: string, changes: readonly SourceChange[], read: ReadStore): Promise<void> {
  const placed = changes.flatMap((one) => (one.kind === 'folder' && one.what !== 'delete' ? [one] : []))
  if (!placed.some(({ what }) => what === 'update')) return
  const rows: readonly Row[] = await read.list(foldersTable, 'byCollection', [collectionId], { body: false })
  const parents = new Map(rows.map((row) => [row.id, itemPositionOf(row).inside]))
  const moved = placed.filter(({ id, parentId }) => parents.get(id) !== parentId)
  const wanted = new Map(moved.map(({ id, parentId }) => [id, parentId]))
  if (await isAnyWithin(wanted, async (one) => parents.get(one) ?? null)) throw errors.changed()
}

/** Refuses where a folder that goes holds what the import neither deletes nor takes out: somebody has put it there since. */
async function requireEmptied(collectionId: string, changes: readonly SourceChange[], read: ReadStore): Promise<void> {
  const going = new Set(changes.flatMap(({ what, kind, id }) => (what === 'delete' && kind === 'folder' ? [id] : [])))
  if (going.size === 0) return
  const leaving = new Set(changes.map(({ kind, id }) => `${kind}-${id}`))
  for (const kind of MEMBERS) {
    const rows: readonly Row[] = await read.list(kinds[kind].table, 'byCollection', [collectionId], { body: false })
    const stays = (row: Row) => going.has(itemPositionOf(row).inside ?? '') && !leaving.has(`${kind}-${row.id}`)
    if (rows.some(stays)) throw errors.changed()
  }
}

async function requireAsFound(
  collectionId: string,
  changes: readonly SourceChange[],
  caller: Caller,
  read: ReadStore
): Promise<void> {
  for (const kind of ['folder', 'request', 'document'] as const) {
    const own = changes.filter((one) => one.kind === kind)
    const ids = own.map(({ id }) => id)
    const rows = new Map((await read.getAll(kinds[kind].table, ids, { body: false })).map((row) => [row.id, row]))
    for (const change of own) requireOneAsFound(collectionId, change, rows.get(change.id), caller)
  }
}

function requireOneAsFound(collectionId: string, change: SourceChange, row: Row | undefined, caller: Caller): void {
  const wasThere = change.what === 'update' || change.what === 'delete'
  if (!wasThere) {
    if (row) throw errors.changed()
    return
  }
  if (!row || itemPositionOf(row).collectionId !== collectionId) throw errors.changed()
  requireRevision(row, [change.revision])
  if (change.what === 'delete' && !mayDelete(change.kind, row, caller)) throw errors.forbidden()
}

/** True for what the caller may delete alone: any folder, and of the rest what they have made. */
export function mayDelete(
  kind: Member,
  row: Row & { readonly createdBy?: unknown },
  caller: Pick<Caller, 'userId'>
): boolean {
  return kind === 'folder' || caller.userId === SYSTEM_ID || row.createdBy === caller.userId
}

function eventsOf(collectionId: string, change: SourceChange, origin: Origin): readonly NewEvent[] {
  const { id } = change
  if (change.what === 'delete') return [removal(collectionId, change)]
  if (change.what === 'create') return [memberCreated(collectionId, id, change)]
  const { parentId, sortOrder } = change
  if (change.kind === 'folder') {
    const place = { collectionId, parentFolderId: parentId, sortOrder }
    if (change.what === 'update')
      return [
        emitFolder(id, 'FolderUpdated', { collectionId, ...change.content }),
        emitFolder(id, 'FolderMoved', place)
      ]
    const { follows, deletionPositions } = change
    const data = { ...place, ...change.content, origin, deletionPositions: [...deletionPositions] }
    return [{ ...emitFolder(id, 'FolderRestored', data), follows }]
  }
  const kind = change.kind === 'request' ? requestKind : documentKind
  const data = { collectionId, folderId: parentId, sortOrder, content: change.content }
  if (change.what === 'update') return [recordEvent(kind, id, 'Updated', data)]
  const { follows, deletionPositions } = change
  const restored = { ...data, origin, deletionPositions: [...deletionPositions] }
  return [{ stream: `${kind.kind}-${id}`, type: `${kind.label}Restored`, data: restored, follows }]
}

/** The event by which a folder, a request or a document is made with its content. */
export function memberCreated(collectionId: string, id: string, member: MemberContent): NewEvent {
  const { parentId, sortOrder } = member
  if (member.kind === 'folder')
    return emitFolder(id, 'FolderCreated', { collectionId, parentFolderId: parentId, sortOrder, ...member.content })
  const kind = member.kind === 'request' ? requestKind : documentKind
  return recordEvent(kind, id, 'Created', { collectionId, folderId: parentId, sortOrder, content: member.content })
}

function removal(collectionId: string, { id, kind, name }: Extract<SourceChange, { what: 'delete' }>): NewEvent {
  // What was in a folder has gone before it.
  if (kind === 'folder')
    return emitFolder(id, 'FolderDeleted', { collectionId, name, folders: [], requests: [], documents: [] })
  return recordEvent(kinds[kind], id, 'Deleted', { name, collectionId })
}
