import type { TableSpec, Value } from '../storage.js'

/** Longer than any position or number has digits, so that names sort as numbers do. */
const DIGITS = 16
const ID_BYTES_MAX = 1500

// Ids of collections are the same whatever the prefix and the generation: Firestore's indexes belong to an id of a
// collection wherever it stands, so that neither a rebuild nor another prefix asks for new ones.
export const COMMITS = 'hub_ends'
export const EVENTS = 'hub_events'
export const PARTS = 'hub_parts'
export const TOKEN_USES = 'hub_token_uses'
export const LEASES = 'hub_leases'
export const BUILDS = 'hub_builds'
export const FENCES = 'hub_fences'
export const STATES = 'hub_states'
export const BLOBS = 'hub_blobs'

/** Where the documents of one log are: paths from the root of the database. */
export interface Layout {
  /** The document below which the log is. */
  readonly log: string
  /** The document below which everything is that is neither log nor read table. */
  readonly aside: string
  /** The document below which the read tables of a generation are. */
  generation(generation: number): string
}

/** The layout of the log of a prefix. */
export function layoutOf(prefix: string): Layout {
  const data = `${prefix}data`
  return { log: `${data}/log`, aside: `${data}/aside`, generation: (generation) => `${data}/g${generation}` }
}

/** The id of the collection with the rows of a table. */
export function rowsCollection(table: Pick<TableSpec, 'name'>): string {
  return `hub_rows_${table.name}`
}

/** A number as part of a name. */
export function numberId(number: number): string {
  return String(number).padStart(DIGITS, '0')
}

/**
 * The id of the document of a row: the row's own, without the characters that Firestore does not take everywhere. Escaped
 * ids have the same order as the ids.
 */
export function documentId(id: string): string {
  return id.replaceAll('.', '.1').replaceAll('/', '.2').replaceAll('_', '_1')
}

/** The id of the row in the document of a path. */
export function rowId(path: string): string {
  return lastOf(path).replaceAll('_1', '_').replaceAll('.2', '/').replaceAll('.1', '.')
}

/** The last segment of a path. */
export function lastOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** The id of the document of an event: a version of a stream can be there only once. */
export function eventId(stream: string, version: number): string {
  return `${encodeURIComponent(stream)}:${numberId(version)}`
}

/** False for an id that no row can have: Firestore does not take it in a name. */
export function isPossibleId(id: string): boolean {
  return id !== '' && isPossible(id) && Buffer.byteLength(documentId(id)) <= ID_BYTES_MAX
}

/** False for what no row is found under: null, and texts that no key can be. */
export function isPossible(value: Value | undefined): boolean {
  return value !== null && (typeof value !== 'string' || (!value.includes('\0') && value.isWellFormed()))
}
