import { z } from 'zod'
import { id, storable } from '../../commands/content.js'
import { array, type JsonText, type Place } from '../../commands/record.js'
import { type Rows, standsUnder } from '../../queries/listing.js'
import { errors } from '../errors.js'
import { giveWay } from '../lib/turns.js'
import { boundedText, LIMITS } from '../limits.js'
import type { ReadModel } from '../readmodel/readModel.js'
import { ordered, type SequenceSpec } from '../readmodel/sequence.js'
import { columnOf, indexOf } from '../storage/order.js'
import type { ColumnKind, Row, Value } from '../storage/storage.js'
import { type Reply, tagged } from './reply.js'

const PAGE_ROWS = 100

/** A whole number in a query or a path. Which bound it is beyond, the text of that check says. */
export const numberInUrl = z.coerce
  .number({
    error: ({ code, expected }) => (code === 'invalid_type' && expected === 'number' ? 'must be a number' : undefined)
  })
  .int()

/** What every list takes: a page of it, and some fields of its records. Without any of them the list comes whole. */
export const paging = z.object({
  limit: numberInUrl
    .min(1)
    .max(LIMITS.listPage.max)
    .optional()
    .describe('How many records a page has at most. It may have fewer before the end. With a cursor alone it is 100.'),
  cursor: boundedText(LIMITS.cursor)
    .optional()
    .describe('The `nextCursor` of the page before; left out for the first page.'),
  fields: boundedText(LIMITS.fieldNames)
    .optional()
    .describe('Names of fields with commas between them: records have these and their `id` alone.')
})
export type Paging = z.infer<typeof paging>

/** What routes of lists take. */
export const paged = { isTagged: true, query: paging } as const

/** What a list reply is made of: rows, and the records that clients see of some of them, each in its place. */
export interface ListOf extends Rows {
  readonly name: string
  /** The names of the fields that a record may have, beside its id. */
  readonly fields: readonly string[]
  // A method's parameter is bivariant: the rows given are of this list's table.
  records(rows: readonly Row[], places: readonly Place[]): readonly JsonText[] | Promise<readonly JsonText[]>
}

/** The order that a list is in: that of places in a sequence. */
export interface InSequence {
  readonly spec: SequenceSpec
  readonly scope: string
}

/** The list with the id and the chosen fields of its records alone. */
export function withFields(of: ListOf, { fields }: Paging): ListOf {
  if (fields === undefined) return of
  const names = chosen(of.fields, fields)
  return {
    ...of,
    fields: names,
    async records(rows, places) {
      const picked: JsonText[] = []
      for (const record of await of.records(rows, places)) {
        picked.push(pick(record, names))
        await giveWay()
      }
      return picked
    }
  }
}

/** The id and the fields that a text names, in the order of the record; 400 where one is none of them. */
export function chosen(known: readonly string[], fields: string): readonly string[] {
  const wanted = fields.split(',').map((name) => name.trim())
  const unknown = wanted.find((name) => name !== 'id' && !known.includes(name))
  if (unknown !== undefined) throw errors.fieldUnknown(unknown, known)
  return ['id', ...known.filter((name) => wanted.includes(name))]
}

const object = z.record(z.string(), z.unknown())

/** A record with these fields alone, as far as it has them. */
function pick(record: JsonText, names: readonly string[]): JsonText {
  const all = object.parse(JSON.parse(record))
  return JSON.stringify(Object.fromEntries(names.flatMap((name) => (name in all ? [[name, all[name]]] : []))))
}

/** The records of a page, and where the next one begins; null at the end of the list. */
export interface Page {
  readonly records: readonly JsonText[]
  readonly next: string | null
}

/** The reply of a page of a list, under a tag of its bytes. */
export async function page(
  readModel: PagedView,
  of: ListOf,
  sequence: InSequence | null,
  asked: Paging
): Promise<Reply> {
  const { records, next } = await pageOf(readModel, of, sequence, asked)
  return pageReply(of.name, records, next)
}

type PagedView = Pick<ReadModel, 'listPart' | 'getPage' | 'places'>

/**
 * A page of a list. It ends before `limit` where its records are as large as a page may be, and holds
 * fewer where some are gone that were there a moment ago: `next` alone says whether there is more. What stands in a sequence
 * is paged by its stored order, which a change of one record does not shift for the others.
 */
export async function pageOf(
  readModel: PagedView,
  of: ListOf,
  sequence: InSequence | null,
  { limit = PAGE_ROWS, cursor }: Paging
): Promise<Page> {
  const { table, index, under, selection } = of
  let after = cursor === undefined ? undefined : valuesOf(cursor, of)
  for (;;) {
    const part = await readModel.listPart(table, index, under, { ...selection, after, limit: limit + 1 })
    const rows = await readModel.getPage(
      table,
      part.slice(0, limit).map((row) => row.id)
    )
    const last = rows.at(-1)
    const end = last ? part.findIndex((row) => row.id === last.id) : Math.min(limit, part.length) - 1
    const next = end + 1 < part.length ? placeValues(part[end], of) : null
    // All of them are gone: whoever asks is shown those behind them.
    if (rows.length === 0 && next) {
      after = next
      continue
    }
    const places = sequence && (await readModel.places(sequence.spec, sequence.scope))
    const there = rows.filter((row) => standsUnder(row, of))
    const records = await of.records(
      there,
      there.map((row) => places?.placeOf(table, ordered(row)) ?? null)
    )
    return { records, next: next && cursorOf(of, next) }
  }
}

/** A page, and where the next one begins; null at the end of the list. */
export function pageReply(name: string, records: readonly JsonText[], nextCursor: string | null): Reply {
  return tagged(`{"${name}":${array(records)},"nextCursor":${JSON.stringify(nextCursor)}}`)
}

/** The same for clients that take no null: at the end of the list there is no cursor. */
export function openPageReply(name: string, { records, next }: Page): Reply {
  return tagged(`{"${name}":${array(records)}${next === null ? '' : `,"nextCursor":${JSON.stringify(next)}`}}`)
}

/** The values by which a row stands where it does in a list. */
function placeValues(row: Row | undefined, { table, index }: Rows): readonly Value[] | null {
  return row ? [...indexOf(table, index).order.map((column) => columnOf(row, column)), row.id] : null
}

/** The cursor of what stands in a list behind these values of its order. */
export function cursorOf({ name, index, under }: ListOf, values: readonly Value[]): string {
  return Buffer.from(JSON.stringify([name, index, ...under, ...values])).toString('base64url')
}

/** What is in a cursor that a hub has made for this list; 400 for anything else. */
function valuesOf(cursor: string, { name, table, index, under }: ListOf): readonly Value[] {
  const list = [name, index, ...under]
  const kinds = [...indexOf(table, index).order.map((column) => table.columns[column]), 'id' as const]
  const { data = [] } = parts.safeParse(decoded(cursor))
  const values = data.slice(list.length)
  const isOfList = list.every((part, i) => part === data[i])
  const areThere = values.length === kinds.length && values.every((value, i) => isOf(kinds[i], value))
  if (!isOfList || !areThere) throw errors.cursorMalformed()
  return values
}

const parts = z.array(z.union([z.string(), z.number()]))

const time = z.iso.datetime({ precision: 3 })

/** True for what a column of the order of a list may hold: a database is asked for nothing else. */
function isOf(kind: ColumnKind | undefined, value: string | number): boolean {
  if (typeof value === 'number') return kind === 'integer' && Number.isSafeInteger(value)
  switch (kind) {
    case 'id':
      return id.safeParse(value).success
    case 'time':
      return time.safeParse(value).success
    case 'name':
      // A key to sort names by is longer than the name, and letters beyond the basic plane are two characters each.
      return value.length <= 2 * LIMITS.name.max && storable(value)
    default:
      return false
  }
}

function decoded(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    return null
  }
}
