import type { FirestoreConfig } from '../../config/types.js'
import { pulse } from '../pulse.js'
import { StorageUnavailable } from '../storage.js'
import { type Api, EMULATOR_HEADERS, EMULATOR_REQUEST_BYTES_MAX, linksTo } from './connection.js'
import { isRefusal, translate, translateCommit, withRetry } from './errors.js'
import { integerOf, isObject } from './values.js'
import {
  type Document,
  documentOf,
  NEVER,
  type Query,
  type QueryResult,
  queryToProto,
  type ServerTime,
  textBytes,
  timeOf,
  type Write,
  writeToProto
} from './wire.js'

/** Firestore's own interface, one method a round trip. Nothing waits without a limit, and no commit is sent twice. */
export interface Client {
  /** The root of all names. */
  readonly documents: string
  /** What one request may have in it. */
  readonly requestBytesMax: number
  /** All or nothing; the times at which each document last changed. Throws `Refused` when a condition does not hold. */
  commit(writes: readonly Write[]): Promise<readonly ServerTime[]>
  /** The documents of these names that exist, in no order; no more than a little above `bytesMax` of text. */
  get(names: readonly string[], readTime?: ServerTime, bytesMax?: number): Promise<QueryResult>
  query(parent: string, query: Query, readTime?: ServerTime, bytesMax?: number): Promise<QueryResult>
  count(parent: string, query: Query): Promise<number>
  /** The ids of the collections directly below a document. */
  collections(parent: string): Promise<readonly string[]>
  close(): Promise<void>
}

const COMMIT_LIMIT_MS = 10_000
const READ_LIMIT_MS = 60_000
const COLLECTIONS_LIMIT_MS = 4000
/** A long answer may take its time, but not without a word. */
const SILENCE_LIMIT_MS = 4000
const REQUEST_BYTES_MAX = 10 * 1024 * 1024

/**
 * Opens Firestore, or the emulator that `FIRESTORE_EMULATOR_HOST` names. Nothing is asked yet, but the credentials are
 * there; throws `StorageUnavailable` when they are not.
 */
export async function openClient({
  projectId,
  keyFilename
}: Pick<FirestoreConfig, 'projectId' | 'keyFilename'>): Promise<Client> {
  const emulator = process.env.FIRESTORE_EMULATOR_HOST
  const open = await linksTo({ projectId, keyFilename }, emulator)
  let link = await open()
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
  const documents = `${database}/documents`
  let isLost = false
  let isClosed = false
  const { during, stop } = pulse(
    async (over) => {
      const own = await open()
      const asked = own.api.batchGetDocuments({ database, documents: [`${documents}/hub/pulse`] }, reading)
      over.addEventListener('abort', () => asked.cancel(), { once: true })
      const isAlive = await collected(asked).then(() => true, isRefusal)
      const isNext = isAlive && isLost && !isClosed && !over.aborted
      if (isNext) [link, isLost] = [own, false]
      else own.close()
      if (!isAlive) throw new StorageUnavailable('Firestore does not answer.')
    },
    () => {
      isLost = true
      link.close()
    }
  )
  /** What a question comes to, which is asked again where that is worth a try. */
  const asking = <T>(ask: (api: Api) => Promise<T>) => withRetry(() => during(() => ask(link.api)))

  return {
    documents,
    requestBytesMax: emulator ? EMULATOR_REQUEST_BYTES_MAX : REQUEST_BYTES_MAX,
    async commit(writes) {
      const request = { database, writes: writes.map(writeToProto) }
      const [{ writeResults, commitTime }] = await during(() =>
        link.api.commit(request, within(COMMIT_LIMIT_MS)).catch((error: unknown) => {
          throw translateCommit(error)
        })
      )
      return (writeResults ?? []).map(({ updateTime }) => timeOf(updateTime ?? commitTime) ?? NEVER)
    },
    get(names, readTime, bytesMax) {
      const request = { database, documents: [...names], ...(readTime && { readTime }) }
      return asking((api) => answered(api.batchGetDocuments(request, reading), 'found', bytesMax))
    },
    query(parent, query, readTime, bytesMax) {
      const request = { parent, structuredQuery: queryToProto(query), ...(readTime && { readTime }) }
      return asking((api) => answered(api.runQuery(request, reading), 'document', bytesMax))
    },
    async count(parent, query) {
      const aggregation = { structuredQuery: queryToProto(query), aggregations: [{ alias: 'count', count: {} }] }
      const request = { parent, structuredAggregationQuery: aggregation }
      return countOf(await asking((api) => collected(api.runAggregationQuery(request, reading))))
    },
    async collections(parent) {
      const [ids] = await during(() =>
        link.api.listCollectionIds({ parent }, within(COLLECTIONS_LIMIT_MS)).catch((error: unknown) => {
          throw translate(error)
        })
      )
      return ids
    },
    async close() {
      isClosed = true
      stop()
      link.close()
    }
  }
}

/** The messages of an answer on their way. */
interface Messages {
  on(event: 'data', listen: (message: unknown) => void): unknown
  on(event: 'end', listen: () => void): unknown
  on(event: 'error', listen: (error: unknown) => void): unknown
  cancel(): void
}

/**
 * The messages of an answer, up to the first that is `enough`: the rest is not read. It is given up where nothing comes for a
 * while.
 */
function collected(stream: Messages, enough: (message: unknown) => boolean = () => false): Promise<readonly unknown[]> {
  return new Promise((resolve, reject) => {
    const messages: unknown[] = []
    const silence = setTimeout(() => {
      reject(new StorageUnavailable('Firestore does not answer.'))
      stream.cancel()
    }, SILENCE_LIMIT_MS)
    stream.on('data', (message) => {
      messages.push(message)
      silence.refresh()
      if (!enough(message)) return
      clearTimeout(silence)
      resolve(messages)
      stream.cancel()
    })
    stream.on('end', () => {
      clearTimeout(silence)
      resolve(messages)
    })
    stream.on('error', (error) => {
      clearTimeout(silence)
      reject(translate(error))
    })
  })
}

/**
 * The documents of an answer, each the member of that name of its message; where they have more text than `bytesMax`, the first
 * of them up to the one that is too much.
 */
async function answered(
  stream: Messages,
  member: 'found' | 'document',
  bytesMax = Number.POSITIVE_INFINITY
): Promise<QueryResult> {
  const documents: Document[] = []
  let readTime = NEVER
  let bytes = 0
  await collected(stream, (message) => {
    if (bytes > bytesMax || !isObject(message)) return false
    readTime = timeOf(message.readTime) ?? readTime
    const document = documentOf(message[member])
    if (!document) return false
    documents.push(document)
    if (Number.isFinite(bytesMax)) bytes += textBytes(document)
    return bytes > bytesMax
  })
  return { documents, readTime, isCut: bytes > bytesMax }
}

/** The number in the answer to a question for one. */
function countOf([message]: readonly unknown[]): number {
  const result = isObject(message) ? message.result : null
  const counts = isObject(result) ? result.aggregateFields : null
  return integerOf(isObject(counts) ? counts.count : null) ?? 0
}
