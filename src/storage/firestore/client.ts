import { type Firestore, type Query, QueryDocumentSnapshot, Timestamp, type Transaction } from '@google-cloud/firestore'
import type { FirestoreConfig } from '../../config/types.js'
import { ChangeTooLarge, type DocumentCounts, StorageUnavailable } from '../storage.js'
import { watchdog } from '../watchdog.js'
import { type Document, type RawFields, requestSize, textOf, type Write, writeIn } from './documents.js'
import { isRefusal, translate, translateCommit } from './errors.js'
import { type Link, linksTo } from './link.js'
import { KnownParts } from './parts.js'

/** What an answer consists of, and the moment at which all of it was true. */
export interface Answer {
  readonly documents: readonly Document[]
  readonly readTime: Timestamp
  /** True where there was more, and no more was wanted. */
  readonly isCut: boolean
}

/** A question, made anew for each client that is asked. */
export type Question = (store: Firestore) => Query

interface GetOptions {
  readonly at?: Timestamp
  readonly fields?: readonly string[] | undefined
}

/** Firestore, one method a round trip. Nothing waits without a limit. */
export interface Client {
  /**
   * All or nothing. It is sent once, or up to so many times: what may happen twice, or asks for what it changes itself. Throws
   * `Refused` when a condition does not hold, and `ChangeTooLarge` for more than one request may have in it.
   */
  commit(writes: readonly Write[], attempts?: number): Promise<void>
  /** The documents of these paths that exist, in their order: some fields of them, or at an earlier moment, where it says so. */
  get(paths: readonly string[], how?: GetOptions): Promise<Answer>
  /** The answer to a question, or the first of it, up to the document with which it has more than `bytesMax` of text. */
  query(question: Question, bytesMax?: number): Promise<Answer>
  /** The answer to a question as it was at a moment. */
  queryAt(question: Question, at: Timestamp): Promise<Answer>
  count(question: Question): Promise<number>
  /** The ids of the collections directly below a document. */
  collections(parent: string): Promise<readonly string[]>
  /** The parts of each text of a document, as far as they were read or written here. */
  partsOf(path: string): ReturnType<KnownParts['of']>
  /** What was asked since it was opened, as Firestore charges it. */
  counts(): DocumentCounts
  close(): Promise<void>
}

const REQUEST_BYTES_MAX = 10 * 1024 * 1024
/** An emulator takes less in one request than Firestore does. */
const EMULATOR_REQUEST_BYTES_MAX = 4 * 1024 * 1024
/** So many entries of an index are counted for the price of one document. */
const COUNTED_AS_ONE = 1000
const NEVER = Timestamp.fromMillis(0)
/** A document that nobody writes. */
const NOBODYS = 'hub/pulse'

/**
 * Opens Firestore, or the emulator that `FIRESTORE_EMULATOR_HOST` names. Throws `StorageUnavailable` when it does not answer, or
 * there are no credentials.
 */
export async function openClient(config: Pick<FirestoreConfig, 'projectId' | 'keyFilename'>): Promise<Client> {
  const requestBytesMax = process.env.FIRESTORE_EMULATOR_HOST ? EMULATOR_REQUEST_BYTES_MAX : REQUEST_BYTES_MAX
  const open = await linksTo(config)
  const openAlive = async () => {
    const fresh = open()
    if (await isAlive(fresh)) return fresh
    fresh.retire()
    throw new StorageUnavailable('Firestore does not answer.')
  }
  // Before it asks for the first time a client gets ready, which takes a while where processors are busy and is no silence.
  let link = await openAlive()
  const probe = async () => (await openAlive()).retire()
  const { during, stop } = watchdog(probe, () => {
    link.retire()
    link = open()
  })
  const known = new KnownParts()
  const counts = { read: 0, written: 0, deleted: 0, commits: 0, questions: 0 }
  /** Asks, and counts what was read: a name that nothing is under and a question without an answer cost a document too. */
  const asking = async <T>(ask: (store: Firestore) => Promise<T>, read: (answer: T) => number) => {
    const answer = await during(() => link.run(ask).catch(rethrow(translate)))
    counts.questions++
    counts.read += Math.max(1, read(answer))
    return answer
  }
  /** As it is now: of what is about to be replaced, an earlier moment says nothing. */
  const current = async (answer: Promise<Answer>) => {
    known.read((await answer).documents)
    return answer
  }
  const found = ({ documents }: Answer) => documents.length

  return {
    async commit(writes, attempts = 1) {
      if (requestSize(writes) > requestBytesMax)
        throw new ChangeTooLarge('This is more than the database can take in one change.')
      // Without a question the transaction of the client is one request.
      const write = (store: Firestore) =>
        store.runTransaction(async (t) => writeIn(t, store, writes), { maxAttempts: attempts })
      await during(() => link.run(write).catch(rethrow(translateCommit)))
      known.written(writes)
      const deleted = writes.filter((write) => 'remove' in write).length
      counts.commits++
      counts.deleted += deleted
      counts.written += writes.length - deleted
    },
    get(paths, { at, fields } = {}) {
      const ask = async (store: Firestore) => {
        const [first, ...others] = paths.map((path) => store.doc(path))
        if (!first) return answerOf([])
        const all = [first, ...others, fields ? { fieldMask: [...fields] } : {}] as const
        return answerOf(await (at ? asOf(store, at, (t) => t.getAll(...all)) : store.getAll(...all)))
      }
      const answer = asking(ask, () => paths.length)
      return at ? answer : current(answer)
    },
    query: (question, bytesMax) => current(asking((store) => streamed(question(store), bytesMax), found)),
    queryAt: (question, at) =>
      asking(async (store) => answerOf((await asOf(store, at, (t) => t.get(question(store)))).docs), found),
    count: (question) =>
      asking(
        async (store) => (await question(store).count().get()).data().count,
        (count) => Math.ceil(count / COUNTED_AS_ONE)
      ),
    collections: (parent) =>
      asking(
        async (store) => (await store.doc(parent).listCollections()).map(({ id }) => id),
        () => 1
      ),
    partsOf: (path) => known.of(path),
    counts: () => ({ ...counts }),
    async close() {
      stop()
      link.retire()
    }
  }
}

/** True for a client that gets an answer. What it asks for is always refused, and unlike a question it is asked once. */
function isAlive(link: Link): Promise<boolean> {
  const impossible = (store: Firestore) =>
    store.runTransaction(async (t) => t.delete(store.doc(NOBODYS), { exists: true }), { maxAttempts: 1 })
  return link.run(impossible).then(() => true, isRefusal)
}

/** Reads what was there at a moment. */
function asOf<T>(store: Firestore, readTime: Timestamp, read: (transaction: Transaction) => Promise<T>): Promise<T> {
  return store.runTransaction(read, { readOnly: true, readTime })
}

/** A snapshot of the client's, of a document that may not be there. */
type Snapshot = Pick<QueryDocumentSnapshot, 'ref' | 'readTime'> & {
  readonly updateTime?: Timestamp | undefined
  data(): RawFields | undefined
}

function documentsOf(snapshot: Snapshot): readonly Document[] {
  const fields = snapshot.data()
  return fields ? [{ path: snapshot.ref.path, fields, updateTime: snapshot.updateTime ?? NEVER }] : []
}

function answerOf(snapshots: readonly Snapshot[]): Answer {
  const readTime = snapshots.at(-1)?.readTime ?? NEVER
  return { documents: snapshots.flatMap(documentsOf), readTime, isCut: false }
}

/** The documents of an answer as they come; where they have more text than is wanted, the rest is not read. */
async function streamed(query: Query, bytesMax = Number.POSITIVE_INFINITY): Promise<Answer> {
  const documents: Document[] = []
  const stream = query.stream()
  let readTime = NEVER
  let bytes = 0
  for await (const snapshot of stream) {
    if (!(snapshot instanceof QueryDocumentSnapshot)) continue
    readTime = snapshot.readTime
    for (const document of documentsOf(snapshot)) {
      documents.push(document)
      if (Number.isFinite(bytesMax)) bytes += textBytes(document)
    }
    if (bytes <= bytesMax) continue
    cancel(stream)
    break
  }
  return { documents, readTime, isCut: bytes > bytesMax }
}

/** How many bytes the texts of a document have that stand in it alone. */
export function textBytes({ fields }: Document): number {
  return Object.values(fields).reduce<number>((sum, field) => sum + Buffer.byteLength(textOf(field) ?? ''), 0)
}

/** Ends a stream and those that it is fed by, up to the call: ended alone, it would leave the call open until it times out. */
function cancel(stream: NodeJS.ReadableStream & { destroy?(): void; cancel?(): void }): void {
  if (stream.cancel) stream.cancel()
  else {
    stream.once('unpipe', cancel)
    stream.destroy?.()
  }
}

function rethrow(translated: (error: unknown) => unknown) {
  return (error: unknown): never => {
    throw translated(error)
  }
}
