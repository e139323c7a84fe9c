import { z } from 'zod'
import { KINDS, kindOfStream, kinds, type RestorableKind } from '../../commands/kinds.js'
import { slices } from '../limits.js'
import { subjectOf } from '../log/event.js'
import type { SearchEntry, SearchProgress } from '../storage/searchIndex.js'
import type { Row, Storage } from '../storage/storage.js'
import { giveWay } from '../turns.js'
import { entryOf, INDEX_VERSION } from './entries.js'
import { changedBy, stepsOf, touchedBy } from './touched.js'

/** So many events are looked at in one step while the index is made. */
const FILLED = 500
/** So many are taken in at once behind changes: of a record that they change often, the last change alone is written. */
const TAKEN_IN = 2000
/** So many rows are read at a time: some databases answer in one turn of the event loop. */
const ROWS = 250
/** What is written at once: so many entries, with so many characters of terms, and so many that go. */
const ENTRIES_MAX = 100
const LENGTH_MAX = 256 * 1024
const REMOVALS_MAX = 200

/**
 * What is remembered of an index beside its position: which terms it has, of which read tables, and how far it is where it is
 * made anew. While it is `clearing` or `filling` its position means nothing.
 */
const note = z.object({
  version: z.number(),
  generation: z.number(),
  stage: z.enum(['clearing', 'filling', 'following']),
  /** Where the log ended when the filling began, and how far in it the filling is. */
  through: z.number(),
  filled: z.number()
})
type Note = z.infer<typeof note>

/** What a step works on: the log as the view knows it, and the index as it was read. */
export interface Now {
  readonly head: { readonly position: number; readonly generation: number }
  readonly progress: SearchProgress
  readonly note: Note | null
}

/** How an index stands to the log: of `other` terms or tables, or behind. `newer` is one that only a later release can change. */
export function standingOf({ progress, note, head }: Now): 'current' | 'behind' | 'other' | 'newer' {
  if (note && note.version > INDEX_VERSION) return 'newer'
  if (note?.version !== INDEX_VERSION || note.generation !== head.generation) return 'other'
  if (progress.position > head.position) return 'other'
  return note.stage === 'following' && progress.position === head.position ? 'current' : 'behind'
}

/** Whether an index is more than a step behind, as while it is made or behind a large import. */
export function isFar({ progress, note, head }: Now): boolean {
  return note?.stage !== 'following' || head.position - progress.position > TAKEN_IN
}

/** What is remembered in the note of a progress; null where nothing is that can be read. */
export function noteIn({ note: text }: SearchProgress): Note | null {
  try {
    return note.parse(JSON.parse(text))
  } catch {
    return null
  }
}

/**
 * Does the next piece of work on the index: empties it, fills it with what the read tables have, or takes in what has happened since. What it
 * writes is of the rows as they are now, which is never older than the events it has read; whoever writes meanwhile writes an
 * event that is read later. Resolves when it is done, or when somebody else was faster.
 */
export async function step(storage: Storage, now: Now): Promise<void> {
  const { progress, note, head } = now
  if (standingOf(now) === 'other') {
    const fresh: Note = {
      ...{ version: INDEX_VERSION, generation: head.generation, stage: 'clearing' },
      ...{ through: 0, filled: 0 }
    }
    await move(storage, progress, 0, fresh)
  } else if (note?.stage === 'clearing') await clear(storage, now, note)
  else if (note?.stage === 'filling') await fill(storage, now, note)
  else if (note) await takeIn(storage, now, note)
}

async function clear(storage: Storage, { progress, head }: Now, note: Note): Promise<void> {
  const remove = await storage.search.some(REMOVALS_MAX)
  if (remove.length === 0) await move(storage, progress, 0, { ...note, stage: 'filling', through: head.position })
  else await storage.search.apply(progress, progress, { put: [], remove })
}

/**
 * The records whose last own event is among the next, so that each is written once, and in the order of positions, in which an index
 * grows where it has just grown. What has changed since the beginning is looked at again when its event is.
 */
async function fill(storage: Storage, { progress }: Now, note: Note): Promise<void> {
  const { generation, filled, through } = note
  const events = filled < through ? await storage.readHeaders(filled, Math.min(FILLED, through - filled)) : []
  const last = events.at(-1)
  if (!last) return move(storage, progress, through, { ...note, stage: 'following' })
  const changed = changedBy(events)
  await write(storage, progress, { position: 0, note: { ...note, filled: last.position } }, async (change) => {
    for (const kind of KINDS) {
      const streams = streamsOf(kind, changed)
      const newest = streams.length > 0 ? await storage.lastOf(streams, stepsOf(streams[0] ?? ''), through) : []
      const due = newest.filter(({ stream, position }) => changed.get(stream) === position)
      const ids = due.map(({ stream }) => subjectOf(stream))
      for await (const row of rowsOf(storage, generation, kind, ids)) await putRow(change, kind, row, changed)
    }
  })
}

function streamsOf(kind: RestorableKind, changed: ReadonlyMap<string, number>): readonly string[] {
  return [...changed.keys()].filter((stream) => kindOfStream(stream) === kind)
}

/** What the next events have changed. */
async function takeIn(storage: Storage, { progress, head }: Now, note: Note): Promise<void> {
  const through = Math.min(head.position, progress.position + TAKEN_IN)
  const events = await storage.readTypes(progress.position, through)
  const last = events.at(-1)
  if (!last) return
  const { changed, gone } = await touchedBy(storage, events)
  const missing = new Set([...gone, ...changed.keys()])
  await write(storage, progress, { position: last.position, note }, async (change) => {
    for (const kind of KINDS) {
      const ids = streamsOf(kind, changed).map(subjectOf)
      for await (const row of rowsOf(storage, head.generation, kind, ids)) {
        missing.delete(`${kind}-${row.id}`)
        await putRow(change, kind, row, changed)
      }
    }
    for (const id of missing) await change({ remove: id })
  })
}

async function* rowsOf(storage: Storage, generation: number, kind: RestorableKind, ids: readonly string[]) {
  for (const some of slices(ids, ROWS)) {
    for (let rest = some; rest.length > 0; ) {
      const page = await storage.rows(generation).getPage(kinds[kind].table, rest)
      const last = page.at(-1)
      if (!last) break
      yield* page
      rest = rest.slice(rest.indexOf(last.id) + 1)
    }
  }
}

/** One change of the index: an entry that is there from now on, or the id of one that goes. */
type Change = { readonly put: SearchEntry } | { readonly remove: string }
type Write = (change: Change) => Promise<void>

/** What can be found of a row, under the position of its own last event. */
async function putRow(write: Write, kind: RestorableKind, row: Row, positions: ReadonlyMap<string, number>) {
  const position = positions.get(`${kind}-${row.id}`)
  if (position !== undefined) await write({ put: await entryOf(kind, row, position) })
  await giveWay()
}

/**
 * Writes the changes that `make` makes, in pieces, and moves the progress with the last of them. Where somebody else moves it
 * meanwhile, nothing more is written.
 */
async function write(
  { search }: Pick<Storage, 'search'>,
  from: SearchProgress,
  to: { readonly position: number; readonly note: Note },
  make: (write: Write) => Promise<void>
): Promise<void> {
  let over: SearchProgress | null = from
  let put: SearchEntry[] = []
  let remove: string[] = []
  let length = 0
  const next = async (target: Omit<SearchProgress, 'turn'>) => {
    over = over && (await search.apply(over, target, { put, remove }))
    put = []
    remove = []
    length = 0
  }
  await make(async (change) => {
    if ('remove' in change) remove.push(change.remove)
    else {
      put.push(change.put)
      length += change.put.terms.reduce((sum, term) => sum + term.length, 0)
    }
    if (put.length >= ENTRIES_MAX || remove.length >= REMOVALS_MAX || length >= LENGTH_MAX) await next(from)
  })
  await next({ position: to.position, note: JSON.stringify(to.note) })
}

function move(storage: Pick<Storage, 'search'>, over: SearchProgress, position: number, note: Note): Promise<void> {
  return write(storage, over, { position, note }, async () => {})
}
