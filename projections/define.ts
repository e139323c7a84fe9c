import type { ImportEvent } from '../commands/takeover/events.js'
import type { DecodedEvent } from '../src/log/event.js'
import type { Columns, Row, RowOp, TableSpec, Value, Values } from '../src/storage/storage.js'

// A method's parameter is bivariant: a handler of one type of event fits here, and the registry gives it no other.
type Handler = { handle(event: DecodedEvent): readonly RowOp[] }['handle']

/** Computes the changes of one read table from each type of event that touches it. The same code serves commit and replay. */
export interface Projector {
  readonly table: TableSpec
  /** Raised when the rows that it makes from the same events change: `hub migrate` then rebuilds. */
  readonly version: number
  readonly handlers: Readonly<Record<string, Handler | undefined>>
}

type Handlers<E extends DecodedEvent> = {
  readonly [T in E['type']]?: (event: Extract<E, { type: T }>) => readonly RowOp[]
}

/** A projector over the events `E`; a type without a handler leaves the table alone. */
export function projector<E extends DecodedEvent>(table: TableSpec, version: number, handlers: Handlers<E>): Projector {
  return { table, version, handlers }
}

/** An event that makes a whole record at once: one of an older hub (`...Imported`), or a deleted one that is back. */
export type ImportedAs<T extends ImportEvent['type']> = DecodedEvent<string, Extract<ImportEvent, { type: T }>['data']>

/** The whole row of the event's own subject. */
export function put<C extends Columns>(
  table: TableSpec<C>,
  event: DecodedEvent,
  columns: Values<C>,
  body: object
): RowOp {
  // What is spread goes last, here and in projectors: V8 makes such an object many times faster than the other way round.
  const row: Row = {
    id: event.subject,
    version: event.version,
    revision: event.position,
    body: JSON.stringify(body),
    ...columns
  }
  return { op: 'put', table, row }
}

/** The whole of a row that the event makes or replaces without its being of the event's stream. */
export function putOther<C extends Columns>(
  table: TableSpec<C>,
  event: DecodedEvent,
  id: string,
  columns: Values<C>,
  body: object
): RowOp {
  const row: Row = { id, version: 0, revision: event.position, body: JSON.stringify(body), ...columns }
  return { op: 'put', table, row }
}

/** Some columns, and the body if given, of the row of the event's own subject. */
export function patch<C extends Columns>(
  table: TableSpec<C>,
  event: DecodedEvent,
  columns: Partial<Values<C>>,
  body?: object
): RowOp {
  const { version, position: revision } = event
  const set = body ? { version, revision, body: JSON.stringify(body), ...columns } : { version, revision, ...columns }
  return { op: 'patch', table, id: event.subject, set }
}

/** The row of the event's own subject advances with its stream, though nothing that a client sees in it has changed. */
export function advance(table: TableSpec, event: DecodedEvent): RowOp {
  return { op: 'patch', table, id: event.subject, set: { version: event.version } }
}

/** Some columns of a row that the event touches without being of its stream. */
export function patchOther<C extends Columns>(
  table: TableSpec<C>,
  event: DecodedEvent,
  id: string,
  columns: Partial<Values<C>>
): RowOp {
  return { op: 'patch', table, id, set: { revision: event.position, ...columns } }
}

export function remove(table: TableSpec, id: string): RowOp {
  return { op: 'delete', table, id }
}

export function removeWhere<C extends Columns>(table: TableSpec<C>, column: keyof C & string, value: Value): RowOp {
  return { op: 'deleteWhere', table, column, value }
}

/** Null in each of the columns that held this value: the thing it named is gone. */
export function nullify<C extends Columns>(
  table: TableSpec<C>,
  event: DecodedEvent,
  columns: readonly (keyof C & string)[],
  value: Value
): RowOp {
  return { op: 'nullify', table, columns, value, revision: event.position }
}

export function updatedBy({ at, actorId }: DecodedEvent) {
  return { updatedAt: at, updatedBy: actorId }
}
