import type { Timestamp } from '@google-cloud/firestore'
import { GENESIS } from '../../log/chain.js'
import type { Head } from '../../log/event.js'
import { toHead } from '../events.js'
import { StorageUnavailable } from '../storage.js'
import type { Client } from './client.js'
import { DEFERRED_FIELD, finishDeferred } from './deferred.js'
import type { Document, Fields, Write } from './documents.js'
import { Refused } from './errors.js'
import { COMMITS, lastOf, numberId } from './layout.js'

// Each commit is a small document named by its first position: whoever creates it owns that position. So nothing is written at
// the pace of the log, which Firestore does not like, and the log ends where the newest of them says.

const FIRST_GENERATION = 1
const ATTEMPTS_MAX = 100

/** An end that the log had, with the document that says so, and when it was read. */
export interface KnownEnd {
  readonly head: Head
  /** The first position of the commit. */
  readonly first: number
  readonly updateTime: Timestamp
  readonly readTime: Timestamp
}

/** The log's end as this process knows it. */
export class LogEnd {
  readonly #client: Client
  readonly #log: string
  #known: KnownEnd | null = null

  constructor(client: Client, log: string) {
    this.#client = client
    this.#log = log
  }

  /** Where the log ends, with nothing left to be done up to there: one document and one round trip, but where something is left. */
  async read(): Promise<KnownEnd> {
    for (;;) {
      const { documents, readTime } = await this.#client.query((store) =>
        store.collection(`${this.#log}/${COMMITS}`).orderBy('last', 'desc').limit(1)
      )
      const [newest] = documents
      if (!newest) throw new StorageUnavailable('The database has no hub in it yet. Run `hub migrate`.')
      if (!(DEFERRED_FIELD in newest.fields)) {
        this.#known = endOf(newest, readTime)
        return this.#known
      }
      await this.finish(newest)
    }
  }

  /** The end that a commit continues; null when the log does not end there. Asks only where this process does not know it. */
  async at(after: Head): Promise<KnownEnd | null> {
    if (this.#known && isAt(this.#known, after)) return this.#known
    const end = await this.read()
    return isAt(end, after) ? end : null
  }

  /** Does what the commit of this document has left to be done, or some of it. */
  finish(commit: Document): Promise<void> {
    return finishDeferred(this.#client, commit)
  }

  /** Resolves when nothing is left to be done up to a position. Asks only where this process does not know it. */
  async settle(position: number): Promise<void> {
    if (position > (this.#known?.head.position ?? 0)) await this.read()
  }

  /** Names in the head what is written from here on. */
  async writeUnder(text: string): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const { first, updateTime } = await this.read()
      const update = commitPath(this.#log, first)
      try {
        await this.#client.commit([{ update, fields: { writtenUnder: text }, writtenAt: updateTime }])
        return
      } catch (error) {
        // Somebody else has written meanwhile.
        if (!(error instanceof Refused) || attempt === ATTEMPTS_MAX) throw error
      }
    }
  }
}

/** The beginning of a log, which is created only where there is none. */
export function genesisWrite(log: string): Write {
  const head = { position: 0, chain: GENESIS, at: new Date(0).toISOString(), generation: FIRST_GENERATION }
  return { create: commitPath(log, 0), fields: headFields(head) }
}

/**
 * What makes a commit the next one: its document must not be there, and the one that it continues must be there and be the
 * one that is known. That one is written as it is, which changes nothing and is refused where it is another.
 */
export function commitWrites(log: string, end: KnownEnd, head: Head, deferred: Buffer | null): readonly Write[] {
  const { seal, writtenUnder, chain } = end.head
  // Its seal said that the log ended here. With it, who takes away what comes after would have the seal of that end. What else
  // an end names goes with it: the document changes by that, so nobody moves its names any more who takes it for the end.
  const gone = {
    ...(seal !== undefined && { seal: undefined }),
    ...(writtenUnder !== undefined && { writtenUnder: undefined })
  }
  return [
    {
      create: commitPath(log, end.head.position + 1),
      fields: { ...headFields(head), ...(deferred && { [DEFERRED_FIELD]: deferred }) }
    },
    { update: commitPath(log, end.first), fields: { chain, ...gone }, writtenAt: end.updateTime }
  ]
}

function commitPath(log: string, first: number): string {
  return `${log}/${COMMITS}/${numberId(first)}`
}

function headFields({ position: last, ...named }: Head): Fields {
  return { last, ...named }
}

function endOf({ path, fields, updateTime }: Document, readTime: Timestamp): KnownEnd {
  return { head: toHead({ ...fields, position: fields.last }), first: Number(lastOf(path)), updateTime, readTime }
}

function isAt({ head }: KnownEnd, after: Head): boolean {
  return head.position === after.position && continues(after, head)
}

/** True where a commit behind `after` continues the head. */
export function continues(after: Head, { chain, writtenUnder }: Head): boolean {
  return after.chain === chain && after.writtenUnder === writtenUnder
}
