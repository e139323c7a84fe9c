import { createHash } from 'node:crypto'
import type { Listing, Rows } from '../../queries/listing.js'
import { type Run, runPages, runsOf } from '../../queries/pages.js'
import { array, type JsonText } from '../../queries/record.js'
import type { View } from '../log/view.js'
import type { Outline, Row } from '../storage/storage.js'
import { nextTurn } from '../turns.js'
import type { Answer } from './reply.js'

/** What a list reply is made of: rows, and the records that clients see of some of them. */
interface ListOf extends Rows {
  readonly name: string
  // A method's parameter is bivariant: the rows given are of this list's table.
  records(rows: readonly Row[]): readonly JsonText[] | Promise<readonly JsonText[]>
}

/** A list that is too large for one piece: its rows as they were at one moment, and the tag of that state. */
interface Planned {
  readonly etag: string
  readonly runs: readonly Run[]
  readonly rows: number
}

/** So many rows of an outline are worked through in one turn. */
const ROWS_PER_TURN = 5000

/** A list in one piece, under a tag of its bytes. */
export function list(name: string, records: readonly JsonText[]): Answer {
  const body = Buffer.from(`{"${name}":${array(records)}}`)
  return { status: 200, body, etag: `"${createHash('sha1').update(body).digest('base64url')}"` }
}

/** The reply to a list, which is kept, or how to make it, for as long as what it depends on stays the same. */
export async function listing(view: View, what: Listing): Promise<Answer> {
  const { name, scope, key, table } = what
  const of = { ...what, records: (rows: readonly Row[]) => rows.map((row) => what.record(row)) }
  const load = () => wholeOrPlanned(view, of)
  const found = await view.cached(`list/${name}/${scope ?? ''}/${key}`, [{ table, scope }], bytesOf, load)
  return 'runs' in found ? inParts(view, of, found, found.etag) : found
}

/** The reply to a list whose records say more than their rows: a large one has no tag. */
export async function freshList(view: View, of: ListOf): Promise<Answer> {
  const found = await wholeOrPlanned(view, of)
  return 'runs' in found ? inParts(view, of, found) : found
}

async function wholeOrPlanned(view: View, of: ListOf): Promise<Answer | Planned> {
  const { name, table, index, under, selection } = of
  const whole = await view.wholeList(table, index, under, selection)
  if (whole) return list(name, await of.records(whole))
  const outline = await view.outline(table, index, under, selection)
  return { etag: await tagOf(outline), runs: runsOf(outline), rows: outline.length }
}

function bytesOf(found: Answer | Planned): number {
  if ('runs' in found) return 200 + 100 * found.rows
  return 200 + (Buffer.isBuffer(found.body) ? found.body.length : 0)
}

/** Weak equality is all that clients ask of it: which records, and each at which revision. */
async function tagOf(outline: readonly Outline[]): Promise<string> {
  const hash = createHash('sha1')
  for (let from = 0; from < outline.length; from += ROWS_PER_TURN) {
    const some = outline.slice(from, from + ROWS_PER_TURN)
    hash.update(some.map(({ id, revision }) => `${id} ${revision}\n`).join(''))
    await nextTurn()
  }
  return `"${hash.digest('base64url')}"`
}

function inParts(view: View, of: ListOf, { runs }: Planned, etag?: string): Answer {
  const partBytes = runs.reduce((most, { bytes }) => Math.max(most, bytes), 0)
  const body = { partBytes, parts: () => partsOf(view, of, runs) }
  return { status: 200, body, ...(etag !== undefined && { etag }) }
}

async function* partsOf(view: View, of: ListOf, runs: readonly Run[]): AsyncGenerator<Buffer, void> {
  let before = `{"${of.name}":[`
  for (const run of runs) {
    await nextTurn()
    for await (const page of runPages(view, of, run)) {
      await nextTurn()
      const records = await of.records(page)
      if (records.length === 0) continue
      yield Buffer.from(before + records.join(','))
      before = ','
      await nextTurn()
    }
  }
  yield Buffer.from(before === ',' ? ']}' : `${before}]}`)
}
