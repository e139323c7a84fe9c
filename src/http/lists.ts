import { createHash } from 'node:crypto'
import { array, type JsonText, type Place } from '../../commands/record.js'
import { type Listing, type Run, runPages, runsOf } from '../../queries/listing.js'
import { nextTurn } from '../lib/turns.js'
import { slices } from '../limits.js'
import type { Dependency } from '../readmodel/cache.js'
import { outlinedColumns } from '../readmodel/manyRows.js'
import { placeDependencies, type ReadModel } from '../readmodel/readModel.js'
import type { Outline, Row } from '../storage/storage.js'
import { compressed, type Encoding } from './compress.js'
import { chosen, type InSequence, type ListOf, type Paging, page, pageReply, withFields } from './paging.js'
import { type Reply, tagged } from './reply.js'

/** A list that is too large for one piece: its rows as they were at one moment, and the tag of that state. */
interface Planned {
  readonly etag: string
  readonly runs: readonly Run[]
  readonly rows: number
  /** By id; none where the rows stand in no order. */
  readonly places: ReadonlyMap<string, number>
}

/** So many rows of an outline are worked through in one turn. */
const ROWS_PER_TURN = 2000
/** How often rows and places are read again that are not of one moment. */
const ATTEMPTS = 3

/** A list in one piece. */
function list(name: string, records: readonly JsonText[]): Reply {
  return tagged(`{"${name}":${array(records)}}`)
}

/**
 * The reply to a list, which is kept, or how to make it, for as long as what it depends on stays the same; or to a question for
 * a page of it, which is not kept.
 */
export async function listing(readModel: ReadModel, what: Listing, asked: Paging = {}): Promise<Reply> {
  const { name, scope, key, table, sequence: spec } = what
  const sequence = spec && scope !== null ? { spec, scope } : null
  const of = () => withFields({ ...what, records: (rows, places) => recordsOf(what, rows, places) }, asked)
  if (isPaged(asked)) return page(readModel, of(), sequence, asked)
  const load = () => wholeOrPlanned(readModel, of(), sequence)
  const dependencies = sequence ? placeDependencies(sequence.spec, sequence.scope) : []
  dependencies.push({ table, scope })
  const picked = asked.fields === undefined ? '' : `?${of().fields.join()}`
  const under = `list/${name}/${scope ?? ''}/${key}${picked}`
  const found = await readModel.cached(under, dependencies, bytesOf, load)
  if ('runs' in found) return inParts(readModel, of(), found, found.etag)
  return { ...found, packed: (encoding) => packedList(readModel, under, dependencies, found, encoding) }
}

function recordsOf(what: Listing, rows: readonly Row[], places: readonly Place[]): readonly JsonText[] {
  return rows.map((row, i) => what.record(row, places[i] ?? null))
}

/** A list compressed, which is kept like the list. Its tag is part of the key: what was made of an older one is never found. */
function packedList(
  readModel: ReadModel,
  under: string,
  dependencies: readonly Dependency[],
  { body, etag }: Reply,
  encoding: Encoding
): Promise<Buffer | null> {
  const pack = async () => (Buffer.isBuffer(body) ? compressed(encoding, body) : null)
  const bytesOf = (packed: Buffer | null) => (packed ? 200 + packed.length : Number.POSITIVE_INFINITY)
  return readModel.cached(`${under}/${encoding}/${etag}`, dependencies, bytesOf, pack)
}

/** The reply to a list whose records say more than their rows: a large one has no tag, but for its pages. */
export async function freshList(readModel: ReadModel, every: ListOf, asked: Paging = {}): Promise<Reply> {
  const of = withFields(every, asked)
  if (isPaged(asked)) return page(readModel, of, null, asked)
  const found = await wholeOrPlanned(readModel, of, null)
  return 'runs' in found ? inParts(readModel, of, found) : found
}

/** The reply to a list that is empty for whoever asks. */
export function emptyList({ name, fields }: Pick<ListOf, 'name' | 'fields'>, asked: Paging): Reply {
  if (asked.fields !== undefined) chosen(fields, asked.fields)
  return isPaged(asked) ? pageReply(name, [], null) : list(name, [])
}

function isPaged({ limit, cursor }: Paging): boolean {
  return limit !== undefined || cursor !== undefined
}

async function wholeOrPlanned(
  readModel: ReadModel,
  of: ListOf,
  sequence: InSequence | null,
  attempt = 1
): Promise<Reply | Planned> {
  const { name, table, index, under, selection } = of
  const whole = await readModel.wholeList(table, index, under, selection)
  if (whole && !sequence) return list(name, await of.records(whole, []))
  const outline = whole ? [] : await readModel.outline(table, index, under, selection)
  if (!sequence) return planned(outline, new Map())
  const rows = whole ?? (await outlinedColumns(readModel, table, outline))
  const places = await readModel.places(sequence.spec, sequence.scope)
  // Of tens of thousands of rows each step takes long enough for one turn.
  const step = whole ? null : nextTurn
  await step?.()
  if (attempt < ATTEMPTS && !places.counts(table, rows)) {
    await readModel.current()
    return wholeOrPlanned(readModel, of, sequence, attempt + 1)
  }
  await step?.()
  const placed = places.inOrder(table, rows)
  if (!whole) {
    await nextTurn()
    return planned(outline, new Map(placed.map(({ row, place }) => [row.id, place])))
  }
  const [listed, at] = [placed.map(({ row }) => row), placed.map(({ place }) => place)]
  return list(name, await of.records(listed, at))
}

/** How a large list is sent: in the order of `places`, or where there are none in that of the outline. */
async function planned(outline: readonly Outline[], places: ReadonlyMap<string, number>): Promise<Planned> {
  await nextTurn()
  const byId = new Map(outline.map((one) => [one.id, one]))
  await nextTurn()
  const inOrder = places.size === 0 ? outline : [...places.keys()].flatMap((id) => byId.get(id) ?? [])
  await nextTurn()
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

function inParts(readModel: ReadModel, of: ListOf, { runs, places }: Planned, etag?: string): Reply {
  const partBytes = runs.reduce((most, { bytes }) => Math.max(most, bytes), 0)
  const body = { partBytes, parts: () => partsOf(readModel, of, runs, places) }
  return { status: 200, body, ...(etag !== undefined && { etag }) }
}

async function* partsOf(
  readModel: ReadModel,
  of: ListOf,
  runs: readonly Run[],
  places: ReadonlyMap<string, number>
): AsyncGenerator<Buffer, void> {
  let before = `{"${of.name}":[`
  for (const run of runs) {
    await nextTurn()
    for await (const page of runPages(readModel, of, run)) {
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
