import { z } from 'zod'
import type { Caller } from '../../../commands/context.js'
import { wholeFolderContent } from '../../../commands/records/folder/kind.js'
import { itemPositionOf } from '../../../commands/records/kind.js'
import { documentKind, MEMBERS, type Member, requestKind } from '../../../commands/records/kinds.js'
import { GAP, orderAfter } from '../../../commands/records/order.js'
import { type MemberContent, mayDelete, type SourceChange } from '../../../commands/records/source/decide.js'
import type { SourceImported } from '../../../commands/records/source/events.js'
import { isWithin } from '../../../commands/records/within.js'
import type { Frozen } from '../../lib/frozen.js'
import { giveWay } from '../../lib/turns.js'
import type { Row } from '../../storage/storage.js'
import { type CollectionOfFile, type Settled, settledSettings } from './collection.js'
import type { ImportRecord } from './records.js'
import { bodyFields, changedFields } from './rowFields.js'

/** What an import does about a record, or leaves. */
export const plannedChange = z.object({
  change: z
    .enum(['create', 'update', 'delete', 'conflict', 'gone'])
    .describe('What is done about it. What is a `conflict`, or `gone` from the file, stays as it is.'),
  kind: z.enum(['collection', ...MEMBERS, 'environment']).describe('What kind of record it is.'),
  id: z.string().describe('The id of the record.'),
  name: z.string().describe('What it is called.'),
  path: z.array(z.string()).describe('The names of the folders that it is in, the outermost first.'),
  fields: z.array(z.string()).optional().describe('The names of the fields that change, or that differ.'),
  reason: z.string().optional().describe('Why it stays as it is, as a text for people.')
})
export type PlannedChange = Frozen<z.infer<typeof plannedChange>>

/** What an import before this one brought of the same source. */
export interface Previous {
  /** Where in the log it ended. */
  readonly position: number
  readonly data: SourceImported
}

/** A collection as an import finds it. `rows` have bodies where the file brings the same record. */
export interface Found {
  readonly collection: Row
  readonly rows: ReadonlyMap<string, { readonly kind: Member; readonly row: Row }>
  readonly previous: Previous | null
  /** Records that only something else has touched since: an order that their neighbours got too, an account that is gone. */
  readonly touched: ReadonlySet<string>
  /** Records that the file brings and that have been taken to another collection, whether they are there still or deleted. */
  readonly elsewhere: ReadonlySet<string>
  /** Deleted records that the file brings. */
  readonly deleted: ReadonlyMap<string, DeletedRecord>
}

/** How far the stream of a deleted record has come, and its own deletion with the ids of what that took; null for what went with another. */
export interface DeletedRecord {
  readonly follows: number
  readonly deletion: { readonly position: number; readonly took: readonly string[] } | null
}

export interface PlanOptions {
  /** Also what somebody has changed or deleted here since becomes as the file has it. */
  readonly overwrite: boolean
  /** What an import before brought, and the file has no more, is deleted. */
  readonly prune: boolean
}

/** What an import comes to: what is told of it, and what its command does. */
export interface Plan {
  readonly shown: readonly PlannedChange[]
  readonly unchanged: number
  readonly settings: Settled
  readonly changes: readonly SourceChange[]
  readonly members: Pick<SourceImported, 'folders' | 'requests' | 'documents' | 'kept'>
}

const EDITED = 'it was changed here since the last import'
const UNKNOWN = 'it is here in another form, and no import of this source has made it'
const DELETED = 'it was deleted here'
const ELSEWHERE = 'it was taken to another collection'
const IN_ITSELF = 'its folder was put into it here'
const NO_FOLDER = 'its folder was deleted here'
const NOT_IN_FILE = 'the file has it no more'
const NOT_OWN = 'only who made it may delete it'
const HOLDS = 'something is in it that stays'

/**
 * Compares what a file brings with what is there, and lets others have their turn meanwhile. `found` is null for a collection that is
 * yet to be made.
 */
export async function planOf(
  collection: CollectionOfFile,
  records: readonly ImportRecord[],
  found: Found | null,
  { overwrite, prune }: PlanOptions,
  caller: Pick<Caller, 'userId'>
): Promise<Plan> {
  const shown: PlannedChange[] = []
  const changes: SourceChange[] = []
  const kept = new Set<string>()
  const missing = new Set<string>()
  let unchanged = 0
  const settings = settledSettings(collection, found, overwrite)
  if (settings.shown) shown.push(settings.shown)
  if (settings.isKept && found) kept.add(found.collection.id)
  const keptBefore = new Set(found?.previous?.data.kept)
  const broughtBefore = new Set(found?.previous ? idsOf(found.previous.data) : [])
  const isUntouched = (id: string, row: Row) =>
    found?.previous != null &&
    broughtBefore.has(id) &&
    !keptBefore.has(id) &&
    (row.revision <= found.previous.position || found.touched.has(id))
  const orderOf = ordersIn(found)
  const told = ({ kind, id, name, path }: ImportRecord) => ({ kind, id, name, path })
  const keep = (record: ImportRecord, reason: string, fields?: readonly string[]) => {
    kept.add(record.id)
    shown.push({ change: 'conflict', ...told(record), reason, ...(fields && { fields }) })
  }
  /** What each record is in, with what is planned so far: a folder that stays where it is may be below one that moves. */
  const parents = new Map([...(found?.rows ?? [])].map(([id, { row }]) => [id, itemPositionOf(row).inside]))
  for (const record of records) {
    await giveWay()
    const { id, parentId } = record
    const there = found?.rows.get(id)
    if (parentId !== null && missing.has(parentId)) {
      if (record.kind === 'folder') missing.add(id)
      if (!there) keep(record, NO_FOLDER)
      else {
        unchanged++
        if (!isUntouched(id, there.row)) kept.add(id)
      }
      continue
    }
    if (found?.elsewhere.has(id)) keep(record, ELSEWHERE)
    else if (!there) {
      const past = found?.deleted.get(id)
      const wasDeletedHere = past !== undefined && (broughtBefore.has(id) || !found?.previous)
      if (wasDeletedHere && !overwrite) {
        if (record.kind === 'folder') missing.add(id)
        keep(record, DELETED)
        continue
      }
      const made = contentOf(record, orderOf(record), null)
      if (past) changes.push({ what: 'bring back', id, follows: past.follows, deletionPositions: [], ...made })
      else changes.push({ what: 'create', id, ...made })
      shown.push({ change: 'create', ...told(record) })
    } else {
      const fields = differences(record, there.row)
      if (fields.length === 0) unchanged++
      else if (await goesIntoItself(record, parents)) keep(record, IN_ITSELF, fields)
      else if (!overwrite && !isUntouched(id, there.row)) keep(record, broughtBefore.has(id) ? EDITED : UNKNOWN, fields)
      else {
        const stays = itemPositionOf(there.row).inside === parentId
        const order = stays ? itemPositionOf(there.row).sortOrder : orderOf(record)
        parents.set(id, parentId)
        changes.push({ what: 'update', id, revision: there.row.revision, ...contentOf(record, order, there.row) })
        shown.push({ change: 'update', ...told(record), fields })
      }
    }
  }
  const undone = withDeletions(changes, found)
  const brought = new Set(records.map(({ id }) => id))
  const goneIds = [...broughtBefore].filter((id) => !brought.has(id) && found?.rows.has(id))
  const deleted = removalsOf(
    goneIds,
    found,
    parents,
    { prune, isMeant: (id, row) => overwrite || isUntouched(id, row) },
    caller
  )
  shown.push(...deleted.shown)
  const removed = new Set(deleted.changes.map(({ id }) => id))
  const remaining = goneIds.filter((id) => !removed.has(id))
  // What this one leaves, the next must not take for what it has brought.
  for (const id of remaining) {
    const row = found?.rows.get(id)?.row
    if (row && !isUntouched(id, row)) kept.add(id)
  }
  return {
    ...{ shown, unchanged, settings, changes: [...undone, ...deleted.changes] },
    members: membersOf(records, remaining, found, kept)
  }
}

/** The changes, with the deletions that are undone by them: those of which everything is back that went with it. */
function withDeletions(changes: readonly SourceChange[], found: Found | null): readonly SourceChange[] {
  const back = new Set([...(found?.rows.keys() ?? []), ...changes.map(({ id }) => id)])
  return changes.map((change) => {
    const deletion = found?.deleted.get(change.id)?.deletion
    if (change.what !== 'bring back' || !deletion?.took.every((id) => back.has(id))) return change
    return { ...change, deletionPositions: [deletion.position] }
  })
}

/** True for a folder that the file has in one which is, or comes to be, below the folder itself. */
async function goesIntoItself(
  { kind, id, parentId }: ImportRecord,
  parents: ReadonlyMap<string, string | null>
): Promise<boolean> {
  const isMove = kind === 'folder' && parents.get(id) !== parentId
  return isMove && isWithin(parentId, id, async (one) => parents.get(one) ?? null)
}

const idsOf = ({ folders, requests, documents }: SourceImported): readonly string[] => [
  ...folders,
  ...requests,
  ...documents
]

function membersOf(
  records: readonly ImportRecord[],
  remaining: readonly string[],
  found: Found | null,
  kept: ReadonlySet<string>
): Plan['members'] {
  const of = (kind: Member) => [
    ...records.filter((one) => one.kind === kind).map(({ id }) => id),
    ...remaining.filter((id) => found?.rows.get(id)?.kind === kind)
  ]
  return { folders: of('folder'), requests: of('request'), documents: of('document'), kept: [...kept] }
}

/** The fields in which a record is not as the file has it; its folder is one. */
function differences(record: ImportRecord, row: Row): readonly string[] {
  const wanted = record.kind === 'folder' ? { name: record.name } : record.content
  const moved = itemPositionOf(row).inside === record.parentId ? [] : ['folder']
  return [...changedFields(wanted, row), ...moved]
}

/** What a record is to be: the fields that no file has stay as the row has them. */
function contentOf(record: ImportRecord, sortOrder: number, row: Row | null): MemberContent {
  const { parentId, name } = record
  switch (record.kind) {
    case 'folder':
      return { kind: 'folder', parentId, sortOrder, content: wholeFolderContent({ name }, row) }
    case 'request':
      return { kind: 'request', parentId, sortOrder, content: requestKind.whole(record.content, row) }
    case 'document':
      return { kind: 'document', parentId, sortOrder, content: documentKind.whole(record.content, row) }
  }
}

/** Gives out the orders behind all that a container holds, one after another. */
function ordersIn(found: Found | null): (record: ImportRecord) => number {
  const last = new Map<string, number>()
  const containerOf = (kind: Member, parentId: string | null) =>
    `${kind === 'folder' ? 'folders' : 'items'} ${parentId ?? ''}`
  for (const { kind, row } of found?.rows.values() ?? []) {
    const { inside, sortOrder } = itemPositionOf(row)
    const container = containerOf(kind, inside)
    last.set(container, Math.max(last.get(container) ?? 0, sortOrder))
  }
  return ({ kind, parentId }) => {
    const container = containerOf(kind, parentId)
    const order = last.has(container) ? orderAfter(last.get(container) ?? 0) : GAP
    last.set(container, order)
    return order
  }
}

interface Removing {
  readonly prune: boolean
  readonly isMeant: (id: string, row: Row) => boolean
}

/** What the file has no more: deleted where that is wanted, nobody has changed it, and nothing stays in it. */
function removalsOf(
  ids: readonly string[],
  found: Found | null,
  parents: ReadonlyMap<string, string | null>,
  { prune, isMeant }: Removing,
  caller: Pick<Caller, 'userId'>
) {
  const shown: PlannedChange[] = []
  const changes: SourceChange[] = []
  const held = new Map<string, number>()
  for (const inside of parents.values()) if (inside !== null) held.set(inside, (held.get(inside) ?? 0) + 1)
  const depthOf = (id: string) => {
    let depth = 0
    for (let at = found?.rows.get(id); at && depth <= ids.length; depth++) {
      const { inside } = itemPositionOf(at.row)
      at = inside === null ? undefined : found?.rows.get(inside)
    }
    return depth
  }
  const all = ids.flatMap((id) => {
    const there = found?.rows.get(id)
    return there ? [{ id, ...there, depth: there.kind === 'folder' ? depthOf(id) : Number.POSITIVE_INFINITY }] : []
  })
  // What is in a folder before the folder, and inner folders before outer ones.
  for (const { id, kind, row } of all.toSorted((a, b) => (a.depth === b.depth ? 0 : b.depth - a.depth))) {
    const { name } = bodyFields(row)
    const one = { kind, id, name, path: [] }
    const reason = !prune
      ? NOT_IN_FILE
      : !isMeant(id, row)
        ? EDITED
        : !mayDelete(kind, row, caller)
          ? NOT_OWN
          : kind === 'folder' && (held.get(id) ?? 0) > 0
            ? HOLDS
            : null
    if (reason !== null) {
      shown.push({ change: 'gone', ...one, reason })
      continue
    }
    const { inside } = itemPositionOf(row)
    if (inside !== null) held.set(inside, (held.get(inside) ?? 0) - 1)
    changes.push({ what: 'delete', id, kind, name, revision: row.revision })
    shown.push({ change: 'delete', ...one })
  }
  return { shown, changes }
}
