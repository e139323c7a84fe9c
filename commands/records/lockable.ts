import { z } from 'zod'
import { errors } from '../../src/errors.js'
import type { NewEvent } from '../../src/log/event.js'
import type { Columns, ReadStore, Row, TableSpec } from '../../src/storage/storage.js'
import { ATTRIBUTION } from '../content.js'
import { type Caller, type Decider, type ExpectedRevisions, requireRevision } from '../context.js'
import type { EventDefinition } from '../event.js'
import type { Command } from '../index.js'
import type { AccessList } from '../people/user/events.js'
import { attributionOf, nameOf, splice } from '../record.js'
import type { attribution } from '../table.js'
import { type ContentOf, contentsOf, type Field, type Fields, type SubmittedOf } from './fields.js'
import {
  administered,
  alterable,
  type LockableKind,
  nounOf,
  recordEvent,
  restoredEvent,
  stepsNamed,
  type Target
} from './kind.js'
import type { Lockable } from './kinds.js'

/** The events of a lockable kind, by which the others name them. */
type Definitions<L extends string> = Readonly<
  Record<
    `${L}${'Created' | 'Updated' | 'DeletionLocked' | 'DeletionUnlocked' | 'Deleted' | 'Restored'}`,
    EventDefinition
  >
>

type LockableFields = Fields & { readonly name: Field<z.ZodString> }

interface Described<L extends string, F extends LockableFields, T extends LockableColumns> {
  readonly emit: { readonly kind: Lockable; readonly definitions: Definitions<L> }
  readonly label: L
  /** Where it is not the label. */
  readonly title?: string
  readonly plural: string
  /** Where it is not the plural. */
  readonly path?: string
  readonly access: AccessList
  readonly table: TableSpec<T>
  readonly listed: string
  readonly fields: F
  /** The fields of the content that are columns of the table, and not in the body. */
  readonly columns: readonly (keyof T & string)[]
  /** The command that puts this content in place of what is there. */
  update(command: Update<ContentOf<F>>, hasParent: boolean): Command & { readonly id: string }
  /** The event of the deletion; without it, that tells the name alone. */
  deletion?(row: Row<T>, read: ReadStore): Promise<NewEvent>
}

interface Update<C> {
  readonly id: string
  readonly content: C
  readonly ifRevision: ExpectedRevisions
}

type LockableColumns = Columns & { readonly deletionLocked: 'flag' }

const lock = z.object({ deletionLocked: z.boolean() })
const parent = z.object({ parentUuid: z.string().nullable().default(null) })

/** Describes a kind of record that stands on its own. */
export function lockableKind<L extends string, F extends LockableFields, T extends LockableColumns>(
  what: Described<L, F, T>
): LockableKind<L, ContentOf<F>, T, SubmittedOf<F>> {
  const { emit, label, title = label, plural, path = plural, access, table, listed, fields, columns } = what
  const named = { kind: emit.kind, label }
  const beside = (row: Row) =>
    Object.fromEntries(columns.map((column) => [column, (row as Readonly<Record<string, unknown>>)[column]]))
  const { contentOf, parsed, whole } = contentsOf(fields, (row) => ({ ...JSON.parse(row.body), ...beside(row) }))
  return {
    ...named,
    ...{ title, plural, path, table, access, listed, fields, whole },
    shown: [...Object.keys(fields), 'deletionLocked', ...ATTRIBUTION],
    isMember: false,
    holds: (row, given) => JSON.stringify(contentOf(row)) === JSON.stringify(parsed(given)),
    steps: stepsNamed(label, ['DeletionLocked', 'DeletionUnlocked']),
    record: (row: Row<LockableColumns & typeof attribution>) =>
      splice(row.body, { ...beside(row), ...attributionOf(row), deletionLocked: row.deletionLocked }),
    parentOf: (row) => parent.parse(row).parentUuid,
    async removal(row: Row<T>, read) {
      const told = { name: nameOf(row) }
      return [(await what.deletion?.(row, read)) ?? recordEvent(named, row.id, 'Deleted', told)]
    },
    restorable: (row, coming) => restoredEvent(named, row, coming, { content: contentOf(row), ...lock.parse(row) }),
    restoring: (past, { id }, hasParent, ifRevision) =>
      what.update({ id, content: contentOf(past), ifRevision }, hasParent)
  }
}

/** True for a caller who may make new records of this kind: that takes the wildcard. */
export function mayCreate(caller: Caller, { access }: Pick<LockableKind, 'access'>): boolean {
  return caller.role === 'user' && caller[access].includes('*')
}

/** Refuses a caller who may not make new records of this kind. */
export function requireWildcard(caller: Caller, kind: LockableKind): void {
  if (!mayCreate(caller, kind)) throw errors.forbidden()
}

/** An administrator's command on the lock of a record. */
export interface Lock extends Target {
  readonly deletionLocked: boolean
}

/** An administrator locks or unlocks; nothing happens where it is so already. */
export function setLock(kind: LockableKind): Decider<Lock> {
  return async (command, context) => locking(kind, await administered(kind, command, context), command.deletionLocked)
}

/** True for a record that is locked against deletion. */
export function isLocked(row: Row): boolean {
  return lock.parse(row).deletionLocked
}

/** The event that locks or unlocks a record; none where it is so already. */
export function locking(kind: LockableKind, row: Row, deletionLocked: boolean): readonly NewEvent[] {
  if (isLocked(row) === deletionLocked) return []
  return [recordEvent(kind, row.id, deletionLocked ? 'DeletionLocked' : 'DeletionUnlocked', {})]
}

/** Refuses to delete what is locked. */
export function requireUnlocked(kind: LockableKind, row: Row): void {
  if (isLocked(row)) throw errors.deletionLocked(nounOf(kind))
}

/** A user deletes a record that is not locked. */
export function deleteLockable(kind: LockableKind): Decider<Target> {
  return async ({ id, ifRevision }, { caller, read }) => {
    const row = await alterable(kind, id, caller, read)
    requireUnlocked(kind, row)
    requireRevision(row, ifRevision)
    return kind.removal(row, read)
  }
}
