import { createRequire } from 'node:module'
import type { v1 } from '@google-cloud/firestore'
import { StorageUnavailable } from '../storage.js'
import { translate, translateCommit } from './errors.js'
import { type Query, structured } from './query.js'
import { type Fields, fieldsSize, integerOf, isObject } from './values.js'
import { type Answer, type Document, documentOf, type ServerTime, timeOf } from './wire.js'

export interface FirestoreAccess {
  readonly projectId: string
  /** Absent means the ambient credentials. */
  readonly keyFilename?: string | undefined
}

type Condition = { readonly exists: boolean } | { readonly updateTime: ServerTime }

/** One change of one document. With `mask` only those fields change; they are gone where `fields` does not have them. */
export type Write =
  | { readonly set: string; readonly fields: Fields; readonly mask?: string[]; readonly only?: Condition }
  | { readonly remove: string; readonly only?: Condition }

/** Firestore's own interface, one method a round trip. Nothing is tried again here, and nothing waits without a limit. */
export interface Client {
  /** The root of all names. */
  readonly documents: string
  /** What one request may have in it. */
  readonly requestBytesMax: number
  /** All or nothing; the times at which each document last changed. Throws `Refused` when a condition does not hold. */
  commit(writes: readonly Write[]): Promise<readonly ServerTime[]>
  /** The documents of these names that exist, in no order. */
  get(names: readonly string[], readTime?: ServerTime): Promise<Answer>
  query(parent: string, query: Query, readTime?: ServerTime): Promise<Answer>
  count(parent: string, query: Query): Promise<number>
  /** The ids of the collections directly below a document. */
  collections(parent: string): Promise<readonly string[]>
  close(): Promise<void>
}

const COMMIT_LIMIT_MS = 10_000
const READ_LIMIT_MS = 60_000
/** A long answer may take its time, but not without a word. */
const SILENCE_LIMIT_MS = 4000
const REQUEST_BYTES_MAX = 10 * 1024 * 1024
const EMULATOR_REQUEST_BYTES_MAX = 4 * 1024 * 1024

/** Opens Firestore, or the emulator that `FIRESTORE_EMULATOR_HOST` names. Nothing is asked yet. */
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
    ...(emulator && emulatorAccess(emulator))
  })
  const database = `projects/${projectId}/databases/(default)`
  const headers = {
    'google-cloud-resource-prefix': database,
    ...(emulator && { Authorization: 'Bearer owner' })
  }
  const within = (timeout: number) => ({
    timeout,
    retry: { retryCodes: [] },
    retryRequestOptions: { retries: 0, noResponseRetries: 0 },
    otherArgs: { headers }
  })

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
    async get(names, readTime) {
      const request = { database, documents: [...names], ...(readTime && { readTime }) }
      return answerOf(await collected(client.batchGetDocuments(request, within(READ_LIMIT_MS))), 'found')
    },
    async query(parent, query, readTime) {
      const request = { parent, structuredQuery: structured(query), ...(readTime && { readTime }) }
      return answerOf(await collected(client.runQuery(request, within(READ_LIMIT_MS))), 'document')
    },
    async count(parent, query) {
      const aggregation = { structuredQuery: structured(query), aggregations: [{ alias: 'count', count: {} }] }
      const request = { parent, structuredAggregationQuery: aggregation }
      const [message] = await collected(client.runAggregationQuery(request, within(READ_LIMIT_MS)))
      return countOf(message)
    },
    async collections(parent) {
      const [ids] = await client.listCollectionIds({ parent }, within(SILENCE_LIMIT_MS)).catch((error: unknown) => {
        throw translate(error)
      })
      return ids
    },
    // What could not be opened needs no closing.
    close: () => client.close().catch(() => {})
  }
}

/** About how many bytes a request to commit these has; rather more than fewer. */
export function requestSize(writes: readonly Write[]): number {
  const one = (write: Write) =>
    'remove' in write
      ? write.remove.length
      : write.set.length +
        fieldsSize(write.fields) +
        (write.mask ?? []).reduce((sum, field) => sum + field.length + 8, 0)
  return writes.reduce((sum, write) => sum + one(write) + 64, 256)
}

const NEVER: ServerTime = { seconds: '0', nanos: 0 }

type Connection = NonNullable<ConstructorParameters<typeof v1.FirestoreClient>[0]>
type Grpc = Extract<NonNullable<ConstructorParameters<typeof v1.FirestoreClient>[1]>, { readonly grpc: unknown }>

/** An emulator speaks without encryption and asks for no credentials; none are looked for, which can take seconds. */
function emulatorAccess(host: string): Connection {
  const { hostname, port } = new URL(`http://${host}`)
  const clientRequire = createRequire(createRequire(import.meta.url).resolve('@google-cloud/firestore'))
  // The gRPC library that the client itself uses: another copy's credentials would not be its own.
  const gax: Grpc = clientRequire('google-gax')
  return {
    servicePath: hostname,
    port: Number(port),
    sslCreds: gax.grpc.credentials.createInsecure(),
    credentials: { client_email: 'emulator', private_key: 'none' }
  }
}

/** A write in the words of Firestore's interface. */
function inWords(write: Write) {
  const condition = write.only && { currentDocument: write.only }
  if ('remove' in write) return { delete: write.remove, ...condition }
  const { set: name, fields, mask } = write
  return { update: { name, fields }, ...(mask && { updateMask: { fieldPaths: mask } }), ...condition }
}

interface Messages {
  on(event: 'data', listen: (message: unknown) => void): unknown
  on(event: 'end', listen: () => void): unknown
  on(event: 'error', listen: (error: unknown) => void): unknown
  cancel(): void
}

/** All messages of an answer. It is given up where nothing comes for a while. */
function collected(stream: Messages): Promise<readonly unknown[]> {
  return new Promise((resolve, reject) => {
    const messages: unknown[] = []
    const silence = setTimeout(() => {
      reject(new StorageUnavailable('Firestore does not answer.'))
      stream.cancel()
    }, SILENCE_LIMIT_MS)
    stream.on('data', (message) => {
      messages.push(message)
      silence.refresh()
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

/** The documents of an answer, each of which is the member of that name of its message. */
function answerOf(messages: readonly unknown[], member: string): Answer {
  const documents: Document[] = []
  let readTime = NEVER
  for (const message of messages) {
    if (!isObject(message)) continue
    const document = documentOf(message[member])
    if (document) documents.push(document)
    readTime = timeOf(message.readTime) ?? readTime
  }
  return { documents, readTime }
}

function countOf(message: unknown): number {
  const result = isObject(message) ? message.result : null
  const counts = isObject(result) ? result.aggregateFields : null
  return integerOf(isObject(counts) ? counts.count : null) ?? 0
}
