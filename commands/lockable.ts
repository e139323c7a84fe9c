import { errors } from '../src/errors.js'
import type { NewEvent } from '../src/log/event.js'
import type { Columns, ReadStore, Row, TableSpec } from '../src/storage/storage.js'
import { allows, type Caller, type ExpectedRevisions, requireAdmin, requireRevision, requireUser } from './context.js'

/** The kinds of record that stand on their own: with an access list, and a lock against deletion. */
export type LockableKind = 'collection' | 'environment' | 'snippet'

const things = { collection: 'Collection', environment: 'Environment', snippet: 'Snippet' } as const
const lists = {
  collection: 'collectionAccess',
  environment: 'environmentAccess',
  snippet: 'snippetAccess'
} as const

type LockableTable = TableSpec<Columns & { readonly deletionLocked: 'flag' }>

/** Refuses a caller who may not make new records of this kind: that takes the wildcard. */
export function requireWildcard(caller: Caller, kind: LockableKind): void {
  requireUser(caller)
  if (!caller[lists[kind]].includes('*')) throw errors.forbidden()
}

/** Refuses a caller whose access list does not hold the record, whether it exists or not. */
export function requireAccess(caller: Caller, kind: LockableKind, id: string): void {
  requireUser(caller)
  if (!allows(caller[lists[kind]], id)) throw errors.forbidden()
}

/** The row of a record, or 404. */
export async function existing<C extends Columns>(
  kind: LockableKind,
  table: TableSpec<C>,
  id: string,
  read: ReadStore
): Promise<Row<C>> {
  const row = await read.get(table, id)
  if (!row) throw errors.notFound(things[kind])
  return row
}

/** An administrator's command on the lock of a record. */
export interface Lock {
  readonly id: string
  readonly deletionLocked: boolean
  readonly ifRevision?: ExpectedRevisions
}

/** An administrator locks or unlocks; nothing happens where it is so already. */
export async function setLock(
  kind: LockableKind,
  table: LockableTable,
  { id, deletionLocked, ifRevision }: Lock,
  { caller, read }: { readonly caller: Caller; readonly read: ReadStore },
  emit: (locked: boolean) => NewEvent
): Promise<readonly NewEvent[]> {
  requireAdmin(caller)
  const row = await existing(kind, table, id, read)
  requireRevision(row, ifRevision)
  return row.deletionLocked === deletionLocked ? [] : [emit(deletionLocked)]
}

/** Refuses to delete what is locked. */
export function requireUnlocked(kind: LockableKind, row: { readonly deletionLocked: boolean }): void {
  if (row.deletionLocked) throw errors.deletionLocked(kind)
}
