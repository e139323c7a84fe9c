import { z } from 'zod'
import type { Row } from '../src/storage/storage.js'

/** The text of a JSON value, ready to send. */
export type JsonText = string

/**
 * Where a record stands among its siblings, counted from 0; null for a record that stands in no order, or where the order as
 * the log keeps it will do.
 */
export type Place = number | null

/** A row with the place of its record at the same moment. */
export interface PlacedRow<R extends Row = Row> {
  readonly row: R
  readonly place: Place
}

/** A record's JSON: its stored body with the columns that change alone spliced in behind. */
export function splice(body: JsonText, columns: object): JsonText {
  return `${body.slice(0, -1)},${JSON.stringify(columns).slice(1)}`
}

/** The JSON array of these records. */
export function array(records: readonly JsonText[]): JsonText {
  return `[${records.join(',')}]`
}

interface Attributed {
  readonly createdAt: string
  readonly updatedAt: string
  readonly createdBy: string | null
  readonly updatedBy: string | null
}

/** Who made and last changed a record and when, as clients see it. */
export function attributionOf({ createdAt, updatedAt, createdBy, updatedBy }: Row & Attributed) {
  return { createdAt, updatedAt, createdByUserId: createdBy, updatedByUserId: updatedBy }
}

const named = z.object({ name: z.string() })

/** The name of a record, out of its row's body. */
export function nameOf({ body }: Pick<Row, 'body'>): string {
  return named.parse(JSON.parse(body)).name
}
