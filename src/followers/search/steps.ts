import { KINDS, kindOfStream, kinds, type RestorableKind } from '../../../commands/records/kinds.js'
import { giveWay } from '../../lib/turns.js'
import { slices } from '../../limits.js'
import { subjectOf } from '../../log/event.js'
import { eventsSince } from '../../log/logEnd.js'
import { wholeRows } from '../../readmodel/manyRows.js'
import type { Row, Storage } from '../../storage/storage.js'
import { changedBy, changedStreams, isErasure, stepsOf } from './changedStreams.js'
import { placeOf } from './place.js'
import { indexState, type Now, type Progress } from './progress.js'
import type { SearchedRecord } from './terms.js'
import type { SearchIndex } from './thread.js'

/** So many events are looked at in one step while the index is filled. */
const FILLED = 500
/** So many are taken in at once behind changes: of a record that they change often, the last change alone is written. */
const TAKEN_IN = 5000
/** What is written at once: so many records, with so many characters, and so many that go. */
const RECORDS_MAX = 250
const LENGTH_MAX = 512 * 1024
const REMOVALS_MAX = 1000

/** What an index is made from, and the index. */
export interface Sources {
  readonly storage: Storage
  readonly index: SearchIndex
}

/** Whether an index is more than a step behind, as while it is made or behind a large import. */
export function isFar({ progress, head }: Now): boolean {
  return progress?.filled !== null || head.position - progress.position > TAKEN_IN
}

/**
 * Does the next piece of work on the index: begins it anew, fills it with what the read tables have, takes in what has happened since, or
 * sweeps it. What it writes is of the rows as they are now, which is never older than the events it has read; whoever writes
 * meanwhile writes an event that is read later.
 */
export async function step(sources: Sources, now: Now): Promise<void> {
  const { progress } = now
  const standing = indexState(now)
  if (!progress || standing === 'other') await begin(sources, now)
  else if (standing === 'filling') await fill(sources, progress)
  else if (standing === 'behind') await takeIn(sources, now, progress)
  else if (progress.remnantsOf !== null && (await sources.index.sweep(progress.remnantsOf)))
    await sources.index.apply(progress, { ...progress, remnantsOf: null }, NOTHING)
}

const NOTHING = { put: [], remove: [] }

async function begin({ index }: Sources, { head: { generation, position, chain } }: Now): Promise<void> {
  await index.empty()
  await index.apply(null, { generation, position, chain, filled: 0, remnantsOf: null }, NOTHING)
}

/**
 * The records whose last own event is among the next, so that each is written once, and in the order of positions, in which an index
 * grows where it has just grown. What has changed since the beginning is looked at again when its event is.
 */
async function fill(sources: Sources, progress: Progress): Promise<void> {
  const { storage } = sources
  const { generation, position: through } = progress
  const filled = Math.min(through, (progress.filled ?? through) + FILLED)
  const changed = changedBy(await storage.readTypes(progress.filled ?? through, filled))
  await write(sources, progress, { ...progress, filled: filled < through ? filled : null }, async (put) => {
    for (const kind of KINDS) {
      const streams = streamsOf(kind, changed)
      const newest = streams.length > 0 ? await storage.lastOf(streams, stepsOf(streams[0] ?? ''), through) : []
      const due = newest.filter(({ stream, position }) => changed.get(stream) === position)
      const ids = due.map(({ stream }) => subjectOf(stream))
      for await (const row of wholeRows(storage.rows(generation), kinds[kind].table, ids))
        await put(recordOf(kind, row, changed))
    }
    return []
  })
}

function streamsOf(kind: RestorableKind, changed: ReadonlyMap<string, number>): readonly string[] {
  return [...changed.keys()].filter((stream) => kindOfStream(stream) === kind)
}

/** What the next events have changed. An index that is of another log is begun anew. */
async function takeIn(sources: Sources, { head }: Now, progress: Progress): Promise<void> {
  const { storage, index } = sources
  const events = await eventsSince(storage, progress, Math.min(head.position, progress.position + TAKEN_IN))
  if (!events) return index.empty()
  const last = events.at(-1)
  if (!last) return
  const remnantsOf = events.findLast(isErasure)?.position ?? progress.remnantsOf
  const { changed, gone } = await changedStreams(storage, events)
  const missing = new Set([...gone, ...changed.keys()])
  await write(
    sources,
    progress,
    { ...progress, position: last.position, chain: last.chain, remnantsOf },
    async (put) => {
      for (const kind of KINDS) {
        const ids = streamsOf(kind, changed).map(subjectOf)
        for await (const row of wholeRows(storage.rows(head.generation), kinds[kind].table, ids)) {
          missing.delete(`${kind}-${row.id}`)
          await put(recordOf(kind, row, changed))
        }
      }
      return [...missing]
    }
  )
}

/** What can be found of a row, under the position of its own last event. */
function recordOf(kind: RestorableKind, row: Row, positions: ReadonlyMap<string, number>): SearchedRecord {
  const id = `${kind}-${row.id}`
  return { id, position: positions.get(id) ?? 0, kind, ...placeOf(kind, row), body: row.body }
}

/**
 * Writes the records that `make` puts and takes out those whose streams it returns, in pieces, and moves the progress with the last of
 * them. Where the index is empty meanwhile, nothing more is written.
 */
async function write(
  { index }: Sources,
  over: Progress,
  to: Progress,
  make: (put: (record: SearchedRecord) => Promise<void>) => Promise<readonly string[]>
): Promise<void> {
  let put: SearchedRecord[] = []
  let length = 0
  const gone = await make(async (record) => {
    put.push(record)
    length += record.body.length
    if (put.length >= RECORDS_MAX || length >= LENGTH_MAX) {
      await index.apply(over, over, { put, remove: [] })
      put = []
      length = 0
    }
    await giveWay()
  })
  for (const remove of slices(gone, REMOVALS_MAX)) await index.apply(over, over, { put: [], remove })
  await index.apply(over, to, { put, remove: [] })
}
