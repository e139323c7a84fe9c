import { z } from 'zod'
import type { Place } from '../../../commands/record.js'
import { kinds, type RestorableKind } from '../../../commands/records/kinds.js'
import { errors } from '../../errors.js'
import type { Frozen } from '../../lib/frozen.js'
import { giveWay } from '../../lib/turns.js'
import { LIMITS } from '../../limits.js'
import type { Row } from '../../storage/storage.js'
import { type Changes, changesBetween, fieldChange, fieldsBetween, shortened, withSides } from './fieldChanges.js'
import { type HistorySource, ownRowAt } from './past.js'
import { placedAt } from './tree.js'
import { isEnd, type State, statesOf, type VersionRef, versionsOf } from './versions.js'

const position = z.int().min(0)

/** Who did something, with the name of then or of now; null where that is erased, or gone. */
export const who = z.object({
  id: z.string().describe('The id.'),
  name: z.string().nullable().describe('The name; null where it is gone or erased.')
})

/** One version of a record, as its history lists it. */
export const versionShape = {
  version: z.int().min(1).describe('Its number. It counts the states of the record from 1.'),
  position: position.describe('The position of its event in the log.'),
  at: z.iso.datetime().describe('When it was made.'),
  type: z.string().describe('The event that made it, such as `RequestUpdated`.'),
  by: who.describe('The account that made it.'),
  changed: z.array(z.string()).describe('The names of the fields that differ from the version before.'),
  deleted: z.literal(true).optional().describe('True where the record was gone after it, and else missing.'),
  erased: z.literal(true).optional().describe('True where what it changed is erased, and else missing.'),
  causation: position
    .optional()
    .describe('The position of the event that it took back or repeated; missing where it did neither.')
}
const version = z.object(versionShape)
export type Version = Frozen<z.infer<typeof version>>

/** One page of a history, the newest version first. */
export interface History {
  readonly versions: readonly Version[]
  /** How many versions there are in all. */
  readonly count: number
}

/** What differs between two versions; `more` is how many changes more there are than are listed. */
export const difference = z.object({
  from: z.int().describe('The version that is compared.'),
  to: z.int().describe('The version that it is compared with.'),
  changes: z.array(fieldChange).describe('What differs, in the order of the fields.'),
  more: z.int().optional().describe('How many more changes there are than are listed; missing where all are.')
})
export type Difference = Frozen<z.infer<typeof difference>>

/**
 * One page of the history of a record, whether it is there or deleted: the newest versions, or those older than `before`. It
 * costs what the page costs, and a header for each version that is newer. Throws 404 where the log knows no such record.
 */
export async function historyOf(
  source: HistorySource,
  kind: RestorableKind,
  id: string,
  { limit, before = Number.POSITIVE_INFINITY }: { readonly limit: number; readonly before?: number | undefined }
): Promise<History> {
  const { count, refs } = await versionsOf(source, kind, id)
  const shown: VersionRef[] = []
  let below: VersionRef | null = null
  for await (const ref of refs()) {
    if (ref.version >= before) continue
    if (shown.length < limit) shown.push(ref)
    else below = ref
    if (below) break
  }
  const start = await rowOf(source, kind, below)
  const versions: Version[] = []
  let last = recordIn(kind, start)
  for await (const state of statesOf(source, kind, { start, refs: shown.toReversed() })) {
    const record = recordIn(kind, state.row)
    versions.push(versionOf(kind, state, record ? changedIn(kind, state.ref, last, record) : []))
    last = record
    await giveWay()
  }
  return { versions: versions.reverse(), count }
}

/** One version of a record as a reference. 404 where the log knows no such record or version. */
export async function versionAt(
  source: HistorySource,
  kind: RestorableKind,
  id: string,
  version: number
): Promise<VersionRef> {
  const { count, refs } = await versionsOf(source, kind, id)
  for await (const ref of refs()) if (ref.version === version) return ref
  throw errors.versionUnknown(count)
}

/**
 * What differs between two versions, field by field; by default between the last two. A text that makes the answer larger than
 * a page is cut short. 404 for a version that there is not.
 */
export async function diffOf(
  source: HistorySource,
  kind: RestorableKind,
  id: string,
  asked: { readonly from?: number | undefined; readonly to?: number | undefined } = {}
): Promise<Difference> {
  const { count, refs } = await versionsOf(source, kind, id)
  const to = asked.to ?? count
  const from = asked.from ?? Math.max(1, to - 1)
  if (Math.max(from, to) > count) throw errors.versionUnknown(count)
  const found = new Map<number, VersionRef>()
  let isPlaced = false
  for await (const ref of refs()) {
    if (ref.version === from || ref.version === to) found.set(ref.version, ref)
    if (ref.version <= Math.min(from, to)) break
    isPlaced ||= ref.version <= Math.max(from, to) && places(kind, ref)
  }
  const placeIn = async (version: number) => {
    const ref = found.get(version)
    return ref ? ((await placedAt(source, kind, id, ref.header.position))?.place ?? null) : null
  }
  const was = await rowOf(source, kind, found.get(from))
  const is = await rowOf(source, kind, found.get(to))
  const between = (...[before, after]: readonly Place[]) =>
    changesBetween(recordIn(kind, was, before) ?? {}, recordIn(kind, is, after) ?? {}, LIMITS.changes.max)
  const { changes, more } = between(null, null)
  if (!kinds[kind].isMember) return { from, to, ...bounded({ changes, more }) }
  // Where the record has not been placed, only its siblings may have moved it: that is none of its changes.
  const isMoved = isPlaced || movedIn(changes.map(({ path }) => path.slice(1)))
  const shown = isMoved
    ? between(await placeIn(from), await placeIn(to))
    : { changes: changes.filter(({ path }) => path !== '/sortOrder'), more }
  return { from, to, ...bounded(shown) }
}

/** The row that a version left, as far as the record's own stream has made it; null where there was none, or it is erased. */
async function rowOf(source: HistorySource, kind: RestorableKind, ref: VersionRef | null = null): Promise<Row | null> {
  return ref && !isEnd(kind, ref) ? ownRowAt(source, { stream: ref.header.stream, at: ref.header.position }) : null
}

/** The changes with texts cut short once they are larger than a page together. */
function bounded({ changes, more }: Changes): Pick<Difference, 'changes' | 'more'> {
  let left = LIMITS.page.max
  const side = (value: unknown): unknown => {
    const json = JSON.stringify(value) ?? ''
    left -= json.length
    const text = typeof value === 'string' ? value : json
    const shown = left >= 0 ? text : shortened(text)
    return shown === text ? value : shown
  }
  return { changes: changes.map((change) => withSides(change, side)), ...(more > 0 && { more }) }
}

function versionOf(kind: RestorableKind, { ref, row, name, isErased }: State, changed: readonly string[]): Version {
  const { position, at, type, actorId, causation } = ref.header
  const isGone = isEnd(kind, ref)
  return {
    version: ref.version,
    position,
    at,
    type,
    by: { id: actorId, name },
    changed: row === null ? [] : changed,
    ...(isGone && !isErased && { deleted: true as const }),
    ...(isErased && { erased: true as const }),
    ...(causation !== null && { causation })
  }
}

/** A neighbour's move is no change of a record: its order counts where the event has placed the record itself. */
function changedIn(kind: RestorableKind, ref: VersionRef, from: object | null, to: object): readonly string[] {
  const changed = fieldsBetween(from ?? {}, to)
  const isOwn = !kinds[kind].isMember || places(kind, ref) || movedIn(changed)
  return isOwn ? changed : changed.filter((field) => field !== 'sortOrder')
}

function places(kind: RestorableKind, { header: { type } }: VersionRef): boolean {
  return type.endsWith('Moved') || kinds[kind].steps.makes.includes(type)
}

function movedIn(changed: readonly string[]): boolean {
  return ['collectionId', 'folderId', 'parentFolderId'].some((field) => changed.includes(field))
}

const record = z.record(z.string(), z.unknown())

function recordIn(kind: RestorableKind, row: Row | null, place: Place = null): object | null {
  return row && record.parse(JSON.parse(kinds[kind].record(row, place)))
}
