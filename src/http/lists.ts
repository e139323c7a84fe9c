import { createHash } from 'node:crypto'
import { array, type JsonText, type Place } from '../../projections/record.js'
import { type Listing, type Rows, type Run, runPages, runsOf } from '../../queries/listing.js'
import { slices } from '../limits.js'
import { type CachedReads, sequenceDependencies } from '../log/cachedReads.js'
import { outlinedColumns, type SequenceSpec } from '../log/sequence.js'
import type { Outline, Row } from '../storage/storage.js'
import { nextTurn } from '../turns.js'
import type { Reply } from './reply.js'

/** What a list reply is made of: rows, and the records that clients see of some of them, each in its place. */
interface ListOf extends Rows {
  readonly name: string
  // A method's parameter is bivariant: the rows given are of this list's table.
  records(rows: readonly Row[], places: readonly Place[]): readonly JsonText[] | Promise<readonly JsonText[]>
}

/** The order that a list is in: that of places in a sequence. */
interface InSequence {
  readonly spec: SequenceSpec
  readonly scope: string
}

/** A list that is too large for one piece: its rows as they were at one moment, and the tag of that state. */
interface Planned {
  readonly etag: string
  readonly runs: readonly Run[]
  readonly rows: number
  /** By id; none where the rows stand in no order. */
  readonly places: ReadonlyMap<string, number>
}

/** So many rows of an outline are worked through in one turn. */
const ROWS_PER_TURN = 5000
/** How often rows and places are read again that are not of one moment. */
const ATTEMPTS = 3

/** A list in one piece, under a tag of its bytes. */
export function list(name: string, records: readonly JsonText[]): Reply {
  const body = Buffer.from(`{"${name}":${array(records)}}`)
  return { status: 200, body, etag: `"${createHash('sha1').update(body).digest('base64url')}"` }
}

/** The reply to a list, which is kept, or how to make it, for as long as what it depends on stays the same. */
export async function listing(view: CachedReads, what: Listing): Promise<Reply> {
  const { name, scope, key, table, sequence: spec } = what
  const of = {
    ...what,
    records: (rows: readonly Row[], places: readonly Place[]) =>
      rows.map((row, i) => what.record(row, places[i] ?? null))
  }
  const sequence = spec && scope !== null ? { spec, scope } : null
  const load = () => wholeOrPlanned(view, of, sequence)
  const dependencies = [{ table, scope }, ...(sequence ? sequenceDependencies(sequence.spec, sequence.scope) : [])]
  const found = await view.cached(`list/${name}/${scope ?? ''}/${key}`, dependencies, bytesOf, load)
  return 'runs' in found ? inParts(view, of, found, found.etag) : found
}

/** The reply to a list whose records say more than their rows: a large one has no tag. */
export async function freshList(view: CachedReads, of: ListOf): Promise<Reply> {
  const found = await wholeOrPlanned(view, of, null)
  return 'runs' in found ? inParts(view, of, found) : found
}

async function wholeOrPlanned(
  view: CachedReads,
  of: ListOf,
  sequence: InSequence | null,
  attempt = 1
): Promise<Reply | Planned> {
  const { name, table, index, under, selection } = of
  const whole = await view.wholeList(table, index, under, selection)
  if (whole && !sequence) return list(name, await of.records(whole, []))
  const outline = whole ? [] : await view.outline(table, index, under, selection)
  if (!sequence) return planned(outline, new Map())
  const rows = whole ?? (await outlinedColumns(view, table, outline))
  const places = await view.sequence(sequence.spec, sequence.scope)
  if (attempt < ATTEMPTS && !places.counts(table, rows)) {
    await view.current()
    return wholeOrPlanned(view, of, sequence, attempt + 1)
  }
  const placed = places.inOrder(table, rows)
  if (!whole) return planned(outline, new Map(placed.map(({ row, place }) => [row.id, place])))
  const [listed, at] = [placed.map(({ row }) => row), placed.map(({ place }) => place)]
  return list(name, await of.records(listed, at))
}

/** How a large list is sent: in the order of `places`, or where there are none in that of the outline. */
async function planned(outline: readonly Outline[], places: ReadonlyMap<string, number>): Promise<Planned> {
  const byId = new Map(outline.map((one) => [one.id, one]))
  const inOrder = places.size === 0 ? outline : [...places.keys()].flatMap((id) => byId.get(id) ?? [])
  return { etag: await tagOf(inOrder, places), runs: runsOf(inOrder), rows: inOrder.length, places }
}

function bytesOf(found: Reply | Planned): number {
  if ('runs' in found) return 200 + 100 * found.rows + 60 * found.places.size
  return 200 + (Buffer.isBuffer(found.body) ? found.body.length : 0)
}

/** Weak equality is all that clients ask of it: which records, each at which revision, and in which place. */
async function tagOf(outline: readonly Outline[], places: ReadonlyMap<string, number>): Promise<string> {
  const hash = createHash('sha1')
  for (const some of slices(outline, ROWS_PER_TURN)) {
    hash.update(some.map(({ id, revision }) => `${id} ${revision} ${places.get(id) ?? ''}\n`).join(''))
    await nextTurn()
  }
  return `"${hash.digest('base64url')}"`
}

function inParts(view: CachedReads, of: ListOf, { runs, places }: Planned, etag?: string): Reply {
  const partBytes = runs.reduce((most, { bytes }) => Math.max(most, bytes), 0)
  const body = { partBytes, parts: () => partsOf(view, of, runs, places) }
  return { status: 200, body, ...(etag !== undefined && { etag }) }
}

async function* partsOf(
  view: CachedReads,
  of: ListOf,
  runs: readonly Run[],
  places: ReadonlyMap<string, number>
): AsyncGenerator<Buffer, void> {
  let before = `{"${of.name}":[`
  for (const run of runs) {
    await nextTurn()
    for await (const page of runPages(view, of, run)) {
      await nextTurn()
      const records = await of.records(
        page,
        page.map(({ id }) => places.get(id) ?? null)
      )
      if (records.length === 0) continue
      yield Buffer.from(before + records.join(','))
      before = ','
      await nextTurn()
    }
  }
  yield Buffer.from(before === ',' ? ']}' : `${before}]}`)
}
