import { z } from 'zod'
import type { RestorableKind } from '../../projections/departures.js'
import { kinds } from '../../queries/kinds.js'
import { errors, type Thing } from '../errors.js'
import type { StoredEvent } from '../log/event.js'
import type { Row } from '../storage/storage.js'
import { changesBetween, type FieldChange } from './changes.js'
import type { Source, State } from './trace.js'
import { tracer } from './trace.js'

/** One state of a record, as its history lists it. */
export interface Version {
  /** Counts the states of the record from 1. */
  readonly version: number
  readonly position: number
  readonly at: string
  readonly type: string
  readonly by: { readonly id: string; readonly name: string | null }
  /** The fields of the record that differ from the version before. */
  readonly changed: readonly string[]
  /** Where the record was gone after it. */
  readonly deleted?: true
  /** Where what it changed is erased. */
  readonly erased?: true
  /** The position of the event that it took back or repeated. */
  readonly causation?: number
}

export interface Difference {
  readonly from: number
  readonly to: number
  readonly changes: readonly FieldChange[]
}

/** The history of one record: its states from first to last. Throws 404 where the log knows no such record. */
export interface History {
  readonly versions: readonly Version[]
  /** The row as a version left it. 404 for a version that there is not. */
  row(version: number): Row | null
  /** What differs between two versions, field by field. */
  diff(from: number, to: number): Difference
}

export const things: Readonly<Record<RestorableKind, Thing>> = {
  collection: 'Collection',
  environment: 'Environment',
  snippet: 'Snippet',
  folder: 'Folder',
  request: 'Request',
  document: 'Document'
}

/** Reads the history of a record, whether it is there or deleted. */
export async function historyOf(source: Source, kind: RestorableKind, id: string): Promise<History> {
  const states = await tracer(source).states(kind, id)
  if (states.length === 0) throw errors.notFound(things[kind])
  const records = states.map(({ row }) => recordIn(kind, row))
  const state = (version: number) => {
    const found = states[version - 1]
    if (!found) throw errors.versionUnknown(states.length)
    return found
  }
  return {
    versions: states.map((one, i) => versionOf(one, i + 1, fieldsOf(changesBetween(records[i - 1] ?? {}, records[i])))),
    row: (version) => state(version).row,
    diff(from, to) {
      const [before, after] = [recordIn(kind, state(from).row), recordIn(kind, state(to).row)]
      return { from, to, changes: changesBetween(before, after) }
    }
  }
}

/** The row of a record as it was at a position; null where it was not there then. */
export async function rowAt(source: Source, kind: RestorableKind, id: string, position: number): Promise<Row | null> {
  return (await tracer(source).states(kind, id, position)).at(-1)?.row ?? null
}

function versionOf({ event, row }: State, version: number, changed: readonly string[]): Version {
  const { position, at, type, actorId, causation, payload } = event
  return {
    version,
    position,
    at,
    type,
    by: { id: actorId, name: whoIn(event).name },
    changed: row === null ? [] : changed,
    ...(row === null && payload.text !== null && { deleted: true as const }),
    ...(payload.text === null && { erased: true as const }),
    ...(causation !== null && { causation })
  }
}

const who = z.object({
  name: z.string().nullable(),
  address: z.string().nullable(),
  searched: z.record(z.string(), z.string()).optional()
})

/** The name and the address behind an event, null where they are erased, and which of others were searched for by it. */
export function whoIn({ who: { text } }: StoredEvent): z.infer<typeof who> {
  return text === null ? { name: null, address: null } : who.parse(JSON.parse(text))
}

function recordIn(kind: RestorableKind, row: Row | null): unknown {
  return row === null ? {} : JSON.parse(kinds[kind].record(row))
}

function fieldsOf(changes: readonly FieldChange[]): readonly string[] {
  return [...new Set(changes.map(({ path }) => path.split('/')[1] ?? ''))]
}
