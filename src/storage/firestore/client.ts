import { StorageUnavailable } from '../storage.js'
import { answered, collected, countOf } from './answers.js'
import { EMULATOR_HEADERS, EMULATOR_REQUEST_BYTES_MAX, emulatorOptions } from './emulator.js'
import { translate, translateCommit } from './errors.js'
import { withPatience } from './patience.js'
import { type Query, structured } from './query.js'
import { type Answer, NEVER, type ServerTime, timeOf } from './wire.js'
import { inWords, type Write } from './writes.js'

export interface FirestoreAccess {
  readonly projectId: string
  /** Absent means the ambient credentials. */
  readonly keyFilename?: string | undefined
}

/** Firestore's own interface, one method a round trip. Nothing waits without a limit, and no commit is sent twice. */
export interface Client {
  /** The root of all names. */
  readonly documents: string
  /** What one request may have in it. */
  readonly requestBytesMax: number
  /** All or nothing; the times at which each document last changed. Throws `Refused` when a condition does not hold. */
  commit(writes: readonly Write[]): Promise<readonly ServerTime[]>
  /** The documents of these names that exist, in no order; no more than a little above `bytesMax` of text. */
  get(names: readonly string[], readTime?: ServerTime, bytesMax?: number): Promise<Answer>
  query(parent: string, query: Query, readTime?: ServerTime, bytesMax?: number): Promise<Answer>
  count(parent: string, query: Query): Promise<number>
  /** The ids of the collections directly below a document. */
  collections(parent: string): Promise<readonly string[]>
  close(): Promise<void>
}

const COMMIT_LIMIT_MS = 10_000
const READ_LIMIT_MS = 60_000
const COLLECTIONS_LIMIT_MS = 4000
const REQUEST_BYTES_MAX = 10 * 1024 * 1024

/**
 * Opens Firestore, or the emulator that `FIRESTORE_EMULATOR_HOST` names. Nothing is asked yet, but the credentials are
 * there; throws `StorageUnavailable` when they are not.
 */
export async function openClient({ projectId, keyFilename }: FirestoreAccess): Promise<Client> {
  // It takes a third of a second to load, which only those who use it should wait for.
  const { default: firestore } = await import('@google-cloud/firestore')
  const emulator = process.env.FIRESTORE_EMULATOR_HOST
  const client = new firestore.v1.FirestoreClient({
    projectId,
    ...(keyFilename !== undefined && { keyFilename }),
    // After an outage the first call finds the server again at once, and not after a minute's pause.
    'grpc.initial_reconnect_backoff_ms': 100,
    'grpc.max_reconnect_backoff_ms': 1000,
    'grpc.keepalive_time_ms': 60_000,
    'grpc.keepalive_timeout_ms': 5000,
    ...(emulator && emulatorOptions(emulator))
  })
  // Without its credentials the client would end the process at the first call.
  const connection = await client.initialize().catch((error: unknown) => {
    throw new StorageUnavailable('There are no credentials for Firestore that can be read.', { cause: error })
  })
  const database = `projects/${projectId}/databases/(default)`
  const headers = { 'google-cloud-resource-prefix': database, ...(emulator && EMULATOR_HEADERS) }
  // The client's own repetitions go on for minutes, whoever may still be waiting.
  const within = (timeout: number) => ({
    timeout,
    retry: { retryCodes: [] },
    retryRequestOptions: { retries: 0, noResponseRetries: 0 },
    otherArgs: { headers }
  })
  const reading = within(READ_LIMIT_MS)

  return {
    documents: `${database}/documents`,
    requestBytesMax: emulator ? EMULATOR_REQUEST_BYTES_MAX : REQUEST_BYTES_MAX,
    async commit(writes) {
      const request = { database, writes: writes.map(inWords) }
      const answered = client.commit(request, within(COMMIT_LIMIT_MS)).catch((error: unknown) => {
        throw translateCommit(error)
      })
      const [{ writeResults, commitTime }] = await answered
      return (writeResults ?? []).map(({ updateTime }) => timeOf(updateTime ?? commitTime) ?? NEVER)
    },
    get(names, readTime, bytesMax) {
      const request = { database, documents: [...names], ...(readTime && { readTime }) }
      return withPatience(() => answered(client.batchGetDocuments(request, reading), 'found', bytesMax))
    },
    query(parent, query, readTime, bytesMax) {
      const request = { parent, structuredQuery: structured(query), ...(readTime && { readTime }) }
      return withPatience(() => answered(client.runQuery(request, reading), 'document', bytesMax))
    },
    async count(parent, query) {
      const aggregation = { structuredQuery: structured(query), aggregations: [{ alias: 'count', count: {} }] }
      const request = { parent, structuredAggregationQuery: aggregation }
      return countOf(await withPatience(() => collected(client.runAggregationQuery(request, reading))))
    },
    async collections(parent) {
      const [ids] = await client.listCollectionIds({ parent }, within(COLLECTIONS_LIMIT_MS)).catch((error: unknown) => {
        throw translate(error)
      })
      return ids
    },
    // The client's own `close` would first open a connection to another service, only to close that too.
    close: async () => void connection.close?.()
  }
}
