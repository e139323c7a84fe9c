import { z } from 'zod'
import { errors } from '../../src/errors.js'
import type { NewEvent } from '../../src/log/event.js'
import type { SequenceSpec } from '../../src/readmodel/sequence.js'
import type { Columns, ReadStore, Row, TableSpec } from '../../src/storage/storage.js'
import { type Origin, origin } from '../content.js'
import {
  allows,
  type Caller,
  type Context,
  type Decider,
  type ExpectedRevisions,
  requireAdmin,
  requireChange,
  requireRevision,
  requireSight,
  requireUser
} from '../context.js'
import type { Command } from '../index.js'
import type { AccessList } from '../people/user/events.js'
import type { JsonText, Place } from '../record.js'
import type { Fields } from './fields.js'
import type { RestorableKind } from './kinds.js'

/**
 * What the events of one kind of stream leave of its row. An event of one type always sets the same columns, so that the
 * newest of each group, in their order, make the same row as the whole stream does.
 */
export interface Steps {
  /** Each makes the whole row anew. */
  readonly makes: readonly string[]
  /** Each changes some columns of it: types of one group the same ones. */
  readonly changes: readonly (readonly string[])[]
  /** The one of `changes` that sets all but who made the record and whether it is locked; null where there is none. */
  readonly whole: string | null
  /** The row is gone. */
  readonly ends: readonly string[]
}

/** What the event that brings a record back tells beside the record. */
export interface RestoredData {
  readonly origin: Origin
  readonly deletionPositions: number[]
}

/** A record as it was before its deletion, as the event that brings it back. `follows` is the last version of its stream. */
export interface RestorableAs<L extends string, D> {
  readonly type: `${L}Restored`
  readonly id: string
  readonly stream: string
  readonly data: D
  readonly follows: number
}

/** What everything outside its own folder has to know of a kind of record: `L` is its label, `D` what brings it back. */
interface Kind<L extends string, D extends RestoredData, C extends Columns> {
  /** The kind in the names of streams, in events and replies. */
  readonly kind: RestorableKind
  /** What its events and commands are named with, as `SnippetUpdated` and `UpdateSnippet` are. */
  readonly label: L
  /** What refusals and pages call it at the beginning of a sentence: `Live server`. */
  readonly title: string
  /** What list replies call it. */
  readonly plural: string
  /** What routes call it: `/<path>/:id`. */
  readonly path: string
  readonly table: TableSpec<C>
  /** What there is to know of its fields. */
  readonly fields: Fields
  /** The fields of a record beside its id, as lists for clients show them. */
  readonly shown: readonly string[]
  readonly steps: Steps
  // Parameters of methods are bivariant: a row given to one of these is of the kind's own table.
  /** The record in a row, as clients see it where the row stands at this place. */
  record(row: Row, place: Place): JsonText
  /** The id of what the row stands below: of a member its folder, otherwise another record of the kind; null for none. */
  parentOf(row: Row): string | null
  /** The events by which the record goes, and all that is in it. */
  removal(row: Row, read: ReadStore): Promise<readonly NewEvent[]>
  /** The event that brings the record back as a row of its past was. */
  restorable(row: Row, coming: Restoration): RestorableAs<L, D>
  /**
   * The command that gives the record, whose row is `now`, the content of a row of its past. It stays in its collection.
   * `hasParent` says whether it may stand below what it stood below then.
   */
  restoring(past: Row, now: Row, hasParent: boolean, ifRevision: ExpectedRevisions): Command & { readonly id: string }
}

/** How far the stream of a record has come that comes back, and which deletions are undone with it. */
export interface Restoration {
  readonly follows: number
  readonly deletionPositions: number[]
}

/** A kind that stands on its own: with an access list, and a lock against deletion. `C` is its content. */
export interface LockableKind<
  L extends string = string,
  C = LockableContent,
  T extends Columns = Columns,
  S extends object = object
> extends Kind<L, RestoredData & { readonly content: C; readonly deletionLocked: boolean }, T> {
  readonly isMember: false
  readonly access: AccessList
  /** True where the row has this content already. */
  holds(row: Row, content: C): boolean
  /** The content that a command comes to: what that leaves out of what may be left out as the row has it, or as it is at first. */
  whole(submitted: S, row: Row | null): C
  /** The index that lists of it go by. */
  readonly listed: string
}
/** `parentUuid` is the record of the same kind that it stands below, where a kind nests. */
export type LockableContent = { readonly name: string; readonly parentUuid?: string | null }

/** A kind that stands in a collection, in an order. */
export interface MemberKind<
  L extends string = string,
  D extends RestoredData = RestoredData,
  C extends Columns = Columns
> extends Kind<L, D, C> {
  readonly isMember: true
  /** The order that it stands in, which other kinds may share. */
  readonly sequence: SequenceSpec
  /** The event of a collection by which such orders change. */
  readonly reordered: 'ItemsReordered' | 'FoldersReordered'
}

export type RecordKind = LockableKind | MemberKind

type RecordChange = 'Created' | 'Updated' | 'Moved' | 'DeletionLocked' | 'DeletionUnlocked' | 'Deleted'

/** What a kind is called within a sentence: `live server`. */
export function nounOf({ title }: Pick<RecordKind, 'title'>): string {
  return title.toLowerCase()
}

/** An event of a record's own stream: `Updated` is `SnippetUpdated` where the record is a snippet. */
export function recordEvent({ kind, label }: Named, id: string, what: RecordChange, data: object): NewEvent {
  return { stream: `${kind}-${id}`, type: `${label}${what}`, data }
}

type Named = Pick<RecordKind, 'kind' | 'label'>

/** The steps of a kind whose events are named with its label: `Updated` sets the content, and `others` what is beside it. */
export function stepsNamed(label: string, others: readonly string[]): Steps {
  const type = (what: string) => `${label}${what}`
  return {
    makes: ['Created', 'Imported', 'Restored'].map(type),
    changes: [[type('Updated')], others.map(type)],
    whole: type('Updated'),
    ends: [type('Deleted')]
  }
}

/** The event that brings a record back, around what is of its kind. */
export function restoredEvent<L extends string, D extends object>(
  { kind, label }: { readonly kind: string; readonly label: L },
  row: Row,
  { follows, deletionPositions }: Restoration,
  data: D
): RestorableAs<L, D & RestoredData> {
  return {
    type: `${label}Restored` as const,
    id: row.id,
    stream: `${kind}-${row.id}`,
    data: { ...data, origin: origin.parse(row), deletionPositions },
    follows
  }
}

const positionColumns = z.object({ collectionId: z.string(), container: z.string(), sortOrder: z.number() })

/** Where the row of a member stands: its collection, and the folder that it is in, null at the root. */
export function itemPositionOf(row: Row) {
  const { collectionId, container, sortOrder } = positionColumns.parse(row)
  return { collectionId, inside: container === collectionId ? null : container, sortOrder }
}

/** What is kept in a table, by what refusals call it. */
interface Titled<C extends Columns> {
  readonly title: string
  readonly table: TableSpec<C>
}

/** The row of a record, or 404. */
export async function existing<C extends Columns>(
  { title, table }: Titled<C>,
  id: string,
  read: Pick<ReadStore, 'get'>
): Promise<Row<C>> {
  const row = await read.get(table, id)
  if (!row) throw errors.notFound(title)
  return row
}

/** Refuses a caller who may not see the record, whether it exists or not. */
export function requireAccess(caller: Caller, { access }: Pick<LockableKind, 'access'>, id: string): void {
  requireUser(caller)
  if (!allows(caller[access], id)) throw errors.forbidden()
}

/** True for what the caller's access lists open: a member by its collection, anything else by its own id. */
export function reaches(caller: Caller, kind: RecordKind, id: string, collectionId: string | null): boolean {
  if (kind.isMember) return collectionId !== null && allows(caller.collectionAccess, collectionId)
  return allows(caller[kind.access], id)
}

/** A command on one record as it is. */
export interface Target {
  readonly id: string
  readonly ifRevision?: ExpectedRevisions
}

/** The row of what an administrator's command is on: 403 for others, 404 where it is not there, 412 where it has changed. */
export async function administered<C extends Columns>(
  what: Titled<C>,
  { id, ifRevision }: Target,
  { caller, read }: Context
): Promise<Row<C>> {
  requireAdmin(caller)
  const row = await existing(what, id, read)
  requireRevision(row, ifRevision)
  return row
}

/** An administrator's deletion: neither lock nor authorship holds it back. */
export function deleteAsAdmin(kind: RecordKind): Decider<Target> {
  return async (command, context) => kind.removal(await administered(kind, command, context), context.read)
}

/** A record that the caller may see: 403 outside the caller's access, 404 where it is not there. */
export async function accessible<C extends Columns>(
  kind: RecordKind & Titled<C>,
  id: string,
  caller: Caller,
  read: Pick<ReadStore, 'get'>
): Promise<Row<C>> {
  if (!kind.isMember) {
    requireAccess(caller, kind, id)
    return existing<C>(kind, id, read)
  }
  requireUser(caller)
  if (caller.collectionAccess.length === 0) throw errors.forbidden()
  const row = await existing<C>(kind, id, read)
  requireSight(caller, itemPositionOf(row).collectionId)
  return row
}

/** A record that the caller may see and change: refused as in `accessible`, and with 403 to who may only look at it. */
export async function alterable<C extends Columns>(
  kind: RecordKind & Titled<C>,
  id: string,
  caller: Caller,
  read: Pick<ReadStore, 'get'>
): Promise<Row<C>> {
  const row = await accessible(kind, id, caller, read)
  requireChange(caller, kind.isMember ? itemPositionOf(row).collectionId : id)
  return row
}

/** The row of a record that a user's command changes: refused as in `alterable`, and with 412 where it has changed. */
export async function changeable<C extends Columns>(
  kind: RecordKind & Titled<C>,
  { id, ifRevision }: Target,
  { caller, read }: Context
): Promise<Row<C>> {
  const row = await alterable(kind, id, caller, read)
  requireRevision(row, ifRevision)
  return row
}
