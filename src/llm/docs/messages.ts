import type { ChunkTable, Source } from './chunks.js'

// Plain checks: both ends of these messages are ours, and a thread that loads a library for them starts twice as late.

/** What the thread of an index is started with. */
export interface WorkerInput {
  readonly path: string
  /** The number of rows from which a graph is built. */
  readonly graphFrom: number
  /** The package that builds it. */
  readonly addon: string
  /** The flags `STOP` and `STOPPED`, shared between the two threads. */
  readonly flags: Int32Array
}

/** Set when the thread is to end; it looks between two pieces of work. */
export const STOP = 0
/** Set by the thread when it will not call into native code any more. */
export const STOPPED = 1

/** A search in the graph; null to end the thread. */
export interface GraphRequest {
  readonly id: number
  readonly query: Float32Array
  readonly count: number
  readonly source: Source | null
}

/** What the thread of an index tells: first what is in the file, then whether there is a graph, then what it found. */
export type WorkerReply =
  | { readonly kind: 'table'; readonly table: ChunkTable }
  /** With the reason where there can be none. */
  | { readonly kind: 'graph'; readonly failure: Error | null }
  | { readonly kind: 'rows'; readonly id: number; readonly rows: readonly number[] }

export function isWorkerInput(value: unknown): value is WorkerInput {
  if (!hasKeys(value, 'path', 'graphFrom', 'addon', 'flags')) return false
  const { path, graphFrom, addon, flags } = value
  return (
    typeof path === 'string' &&
    typeof graphFrom === 'number' &&
    typeof addon === 'string' &&
    flags instanceof Int32Array
  )
}

export function isGraphRequest(value: unknown): value is GraphRequest {
  if (!hasKeys(value, 'id', 'query', 'count', 'source')) return false
  const { id, query, count, source } = value
  return (
    typeof id === 'number' &&
    query instanceof Float32Array &&
    typeof count === 'number' &&
    (source === null || source === 'site' || source === 'sdk')
  )
}

export function isWorkerReply(value: unknown): value is WorkerReply {
  if (!hasKeys(value, 'kind')) return false
  if (value.kind === 'table') return hasKeys(value, 'table') && isTable(value.table)
  if (value.kind === 'rows') return hasKeys(value, 'id', 'rows') && Array.isArray(value.rows)
  if (value.kind !== 'graph' || !hasKeys(value, 'failure')) return false
  return value.failure === null || value.failure instanceof Error
}

function isTable(value: unknown): value is ChunkTable {
  if (!hasKeys(value, 'rows', 'blocks', 'magnitudes', 'sources', 'texts', 'textEnds')) return false
  const { rows, blocks, magnitudes, sources, texts, textEnds } = value
  return (
    typeof rows === 'number' &&
    Array.isArray(blocks) &&
    blocks.every((block) => block instanceof Float32Array) &&
    magnitudes instanceof Float64Array &&
    sources instanceof Uint8Array &&
    texts instanceof Uint8Array &&
    textEnds instanceof Uint32Array
  )
}

/** True for an object with these keys. */
export function hasKeys<K extends string>(
  value: unknown,
  ...keys: readonly K[]
): value is Readonly<Record<K, unknown>> {
  return typeof value === 'object' && value !== null && keys.every((key) => key in value)
}
