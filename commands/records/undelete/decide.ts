import { errors } from '../../../src/errors.js'
import type { NewEvent } from '../../../src/log/event.js'
import type { SequenceSpec } from '../../../src/readmodel/sequence.js'
import type { ReadStore, TableSpec } from '../../../src/storage/storage.js'
import type { Origin } from '../../content.js'
import { type Caller, type Deciders, requireAdmin } from '../../context.js'
import { usersTable } from '../../people/user/table.js'
import { tableOf } from '../../snapshots.js'
import { collectionsTable } from '../collection/table.js'
import { foldersTable } from '../folder/table.js'
import { reaches } from '../kind.js'
import { kindOfStream, kinds, type Restorable, type RestorableKind } from '../kinds.js'
import { orderAfter } from '../order.js'
import { folderSequence, itemSequence } from '../sequences.js'
import { isInItself } from '../within.js'
import { tombstonesTable } from './table.js'

export type UndeleteCommand = {
  /** Brings deleted records back. Those that are here already stay as they are, so it can be repeated. */
  readonly type: 'RestoreRecords'
  /** Collections come before their folders, and folders before what is in them. */
  readonly records: readonly Restorable[]
  /** In their old places also where these are taken: by what goes next. */
  readonly isExact?: true
  /** Containers that have come back just before, and so hold nothing but what came back with them. */
  readonly emptied?: ReadonlySet<string>
  /** The deletion that is undone: a user names one of their own. */
  readonly deletion?: Deletion | undefined
}

/** The deletion of a record, by the kind of the record and the position of its event. */
interface Deletion {
  readonly kind: RestorableKind
  readonly position: number
}

/**
 * Decides on deleted records that come back: for administrators, and for users where a deletion is named that is their own.
 * What they refer to may be gone meanwhile: an account or a parent environment is then left out, a place in a folder that is
 * gone becomes the end of the collection, and one that is taken the end of the folder. Without its collection nothing comes back.
 */
export const undeleteDeciders: Deciders<UndeleteCommand> = {
  async RestoreRecords({ records, isExact, emptied, deletion }, { caller, read }) {
    if (deletion && caller.role === 'user') await requireOwn(deletion, records, caller, read)
    else requireAdmin(caller)
    const present = await presentOf(records, read)
    const place = placementResolver(read, present, (container) => isExact === true || emptied?.has(container) === true)
    const events: NewEvent[] = []
    const parents = new Map(records.map((record) => [record.id, parentOf(record)]))
    const aboveOf = (id: string) => parents.get(id) ?? null
    for (const record of records) {
      const { id, stream, type, follows } = record
      const table = tableOf(stream)
      if (table && present.has(table, id)) continue
      // They come back as they were at different moments.
      if (isInItself(id, aboveOf)) parents.set(id, null)
      const above = aboveOf(id)
      events.push({ stream, type, data: await resolvePlacement(record, above, present, place), follows })
    }
    return events
  }
}

/** Refuses, as what is not there, a deletion that is not the user's own or is undone, and records out of their reach. */
async function requireOwn(
  { kind, position }: Deletion,
  records: readonly Restorable[],
  caller: Caller,
  read: ReadStore
): Promise<void> {
  const row = await read.get(tombstonesTable, String(position))
  const isOwn = row?.state === 'deleted' && row.actorId === caller.userId
  const isReached = records.every(({ id, stream, data }) => {
    const kind = kindOfStream(stream)
    const within = 'collectionId' in data ? data.collectionId : null
    const isViewed = caller.viewed.includes(within ?? id)
    return kind !== null && !isViewed && reaches(caller, kinds[kind], id, within)
  })
  if (!isOwn || !isReached) throw errors.notFound(kinds[kind].title)
}

/** What of its own kind a record stood below; null for none. */
function parentOf({ data }: Restorable): string | null {
  if ('parentFolderId' in data) return data.parentFolderId
  return 'content' in data && 'parentUuid' in data.content ? data.content.parentUuid : null
}

/** What is there of all that the records are or refer to: asked for once for all of them. */
interface Present {
  has(table: TableSpec, id: string): boolean
  /** The collection that a folder is in; undefined for one that is not there. */
  collectionOf(folder: string): string | undefined
  /** True for what the command itself brings back. */
  isBack(id: string): boolean
}

async function presentOf(records: readonly Restorable[], read: ReadStore): Promise<Present> {
  const wanted = new Map<TableSpec, Set<string>>()
  const want = (table: TableSpec | null, id: string | null) => {
    if (table && id !== null) wanted.set(table, (wanted.get(table) ?? new Set()).add(id))
  }
  for (const record of records) {
    const { id, stream, data } = record
    want(tableOf(stream), id)
    want(usersTable, data.origin.createdBy)
    want(usersTable, data.origin.updatedBy)
    if ('collectionId' in data) want(collectionsTable, data.collectionId)
    if ('folderId' in data) want(foldersTable, data.folderId)
    else want(tableOf(stream), parentOf(record))
  }
  const found = new Set<string>()
  const idsIn = (table: TableSpec) => [...(wanted.get(table) ?? [])]
  const folders = await read.getAll(foldersTable, idsIn(foldersTable), { body: false })
  for (const table of wanted.keys()) {
    const rows = table === foldersTable ? folders : await read.getAll(table, idsIn(table), { body: false })
    for (const { id } of rows) found.add(`${table.name}/${id}`)
  }
  const collections = new Map(folders.map(({ id, collectionId }) => [id, collectionId]))
  const back = new Set(records.map(({ id }) => id))
  return {
    has: ({ name }, id) => found.has(`${name}/${id}`),
    collectionOf: (folder) => collections.get(folder),
    isBack: (id) => back.has(id)
  }
}

/** What a record comes back with, of all that it was: where it can, and below `parent` where that is there. */
async function resolvePlacement(
  { stream, data }: Restorable,
  parent: string | null,
  present: Present,
  placeOf: PlacementResolver
): Promise<Restorable['data']> {
  const origin = known(data.origin, present)
  if ('parentFolderId' in data) {
    const { inside, sortOrder } = await placeOf(folderSequence, { ...data, inside: parent })
    return { ...data, origin, parentFolderId: inside, sortOrder }
  }
  if ('folderId' in data) {
    const { inside, sortOrder } = await placeOf(itemSequence, { ...data, inside: data.folderId })
    return { ...data, origin, folderId: inside, sortOrder }
  }
  const { content } = data
  if (!('parentUuid' in content)) return { ...data, origin }
  const table = tableOf(stream)
  const hasParent = parent !== null && (present.isBack(parent) || (table !== null && present.has(table, parent)))
  return { ...data, origin, content: { ...content, parentUuid: hasParent ? parent : null } }
}

/** The times and accounts of a record, without accounts that are gone. */
function known({ createdBy, updatedBy, ...times }: Origin, present: Present): Origin {
  const here = (id: string | null) => (id !== null && present.has(usersTable, id) ? id : null)
  return { ...times, createdBy: here(createdBy), updatedBy: here(updatedBy) }
}

interface Placement {
  readonly inside: string | null
  readonly sortOrder: number
}

type PlacementResolver = (
  siblings: SequenceSpec,
  old: Placement & { readonly collectionId: string }
) => Promise<Placement>

/**
 * Finds where records come back to: the own place where that is there and free, otherwise the end of what is there. Each
 * container is listed once, however many come back to it. 409 without the collection.
 */
function placementResolver(
  read: ReadStore,
  { has, isBack, collectionOf }: Present,
  isFree: (container: string) => boolean
): PlacementResolver {
  const containers = new Map<string, { readonly orders: Set<number>; end: number }>()
  const takenIn = async ({ name, tables }: SequenceSpec, container: string) => {
    const key = `${name} ${container}`
    const known = containers.get(key)
    if (known) return known
    const lists = await Promise.all(
      tables.map((table) => read.list(table, 'byContainer', [container], { body: false }))
    )
    const orders = new Set(lists.flatMap((rows) => rows.map(({ sortOrder }) => sortOrder)))
    const fresh = { orders, end: [...orders].reduce((max, order) => Math.max(max, order), 0) }
    containers.set(key, fresh)
    return fresh
  }
  return async (siblings, { collectionId, inside, sortOrder }) => {
    if (!isBack(collectionId) && !has(collectionsTable, collectionId)) throw errors.collectionDeleted()
    const isIn = inside === null || isBack(inside) || collectionOf(inside) === collectionId
    const folder = isIn ? inside : null
    const container = folder ?? collectionId
    if (isIn && (isBack(container) || isFree(container))) return { inside: folder, sortOrder }
    const taken = await takenIn(siblings, container)
    const order = isIn && !taken.orders.has(sortOrder) ? sortOrder : orderAfter(taken.end)
    taken.end = Math.max(taken.end, order)
    taken.orders.add(order)
    return { inside: folder, sortOrder: order }
  }
}
