import { z } from 'zod'
import { codec } from '../../commands/index.js'
import type { RestorableKind } from '../../projections/departures.js'
import { project, tableOf } from '../../projections/index.js'
import { usersTable } from '../../projections/users.js'
import { kinds } from '../../queries/kinds.js'
import { recorded } from '../log/batch.js'
import { type RecordedEvent, type StoredEvent, subjectOf } from '../log/event.js'
import type { ReadStore, Row, Storage, TableSpec } from '../storage/storage.js'
import { names, rowAfter } from './fold.js'

const PAGE = 500

/** What a record's past is read from: the streams of the log, and the accounts as they are now. */
export interface Source {
  readonly storage: Pick<Storage, 'readStream'>
  readonly view: Pick<ReadStore, 'getAll'>
}

/** One state that a record came to: the event that brought it there, and its row after it, null where it was gone. */
export interface State {
  readonly event: StoredEvent
  readonly row: Row | null
}

/** One event of a stream; `data` is null where its payload is erased. */
export interface Entry {
  readonly stored: StoredEvent
  readonly event: RecordedEvent | null
}

/** Follows records through the log. Streams that several records share are read once. */
export interface Tracer {
  /**
   * Every state of a record that came from an event up to `until`, oldest first. The same projectors make them that made
   * the read tables, from every stream that can have touched the record: its own, those of the collections and folders
   * that it was in, those of accounts that are gone.
   */
  states(kind: RestorableKind, id: string, until?: number): Promise<readonly State[]>
  /** The states that a stream alone gives the row of its table; none where it has no table. */
  own(stream: string, until?: number): Promise<readonly State[]>
}

/** A tracer over the log as it is now. */
export function tracer({ storage, view }: Source): Tracer {
  const streams = new Map<string, Promise<readonly Entry[]>>()
  const stream = (name: string) => {
    const known = streams.get(name) ?? readWhole(storage, name)
    streams.set(name, known)
    return known
  }

  /** The entries of the record's own stream, and of others what can have touched it. */
  const entriesOf = async (kind: RestorableKind, id: string): Promise<readonly Entry[]> => {
    const { table } = kinds[kind]
    const own = `${kind}-${id}`
    const found: Entry[] = []
    const seen = new Set([own])
    const accounts = new Set<string>()
    // The list of streams grows while it is gone through.
    for (const name of seen) {
      for (const entry of await stream(name)) {
        const { event } = entry
        const isNamed = event !== null && project(event).some((op) => names(op, table, id))
        const sweeps = event !== null && project(event).some(({ op }) => op === 'deleteWhere' || op === 'clear')
        if (name !== own && !isNamed && !sweeps) continue
        found.push(entry)
        if (event === null || (name !== own && !isNamed)) continue
        for (const other of containers(event)) seen.add(other)
        for (const account of actors(event)) accounts.add(account)
      }
    }
    const here = new Set((await view.getAll(usersTable, [...accounts], { body: false })).map((row) => row.id))
    for (const account of accounts) {
      if (!here.has(account)) found.push(...(await stream(`user-${account}`)).filter(({ event }) => event !== null))
    }
    return found.sort((a, b) => a.stored.position - b.stored.position)
  }

  return {
    async states(kind, id, until = Number.POSITIVE_INFINITY) {
      return folded(await entriesOf(kind, id), kinds[kind].table, id, until)
    },
    async own(name, until = Number.POSITIVE_INFINITY) {
      const table = tableOf(name)
      return table ? folded(await stream(name), table, subjectOf(name), until) : []
    }
  }
}

function folded(entries: readonly Entry[], table: TableSpec, id: string, until: number): readonly State[] {
  const states: State[] = []
  let row = null as Row | null
  for (const { stored, event } of entries) {
    if (stored.position > until) break
    const revision = row?.revision
    for (const op of event ? project(event) : []) row = rowAfter(row, op, table, id)
    // A reorder takes the stream of its collection on, and changes nothing in the collection's own record.
    if (row?.revision !== revision || event === null) states.push({ event: stored, row })
  }
  return states
}

/** All of a stream, oldest first. */
export async function readWhole(storage: Source['storage'], stream: string): Promise<readonly Entry[]> {
  const entries: Entry[] = []
  for (let version = 0; ; ) {
    const page = await storage.readStream(stream, version, PAGE)
    for (const stored of page)
      entries.push({ stored, event: stored.payload.text === null ? null : recorded(stored, codec) })
    const last = page.at(-1)
    if (!last) return entries
    version = last.version
  }
}

const optional = z.string().nullish()
const placed = z.object({
  collectionId: optional,
  folderId: optional,
  parentFolderId: optional,
  parentUuid: optional,
  content: z.object({ parentUuid: optional }).optional().catch(undefined),
  origin: z.object({ createdBy: optional, updatedBy: optional }).optional()
})

/** The streams of what a record was put into by an event: their deletions and orders touch it too. */
function containers({ data }: RecordedEvent): readonly string[] {
  const { collectionId, folderId, parentFolderId, parentUuid, content } = placed.parse(data)
  const environment = parentUuid ?? content?.parentUuid
  return [
    ...(collectionId ? [`collection-${collectionId}`] : []),
    ...(folderId ? [`folder-${folderId}`] : []),
    ...(parentFolderId ? [`folder-${parentFolderId}`] : []),
    ...(environment ? [`environment-${environment}`] : [])
  ]
}

/** The accounts that a record names after an event. */
function actors({ actorId, data }: RecordedEvent): readonly string[] {
  const { origin } = placed.parse(data)
  return [actorId, origin?.createdBy, origin?.updatedBy].filter((id): id is string => typeof id === 'string')
}
