import type { Timestamp } from '@google-cloud/firestore'
import { GENESIS } from '../../log/chain.js'
import type { Head } from '../../log/event.js'
import { toHead } from '../events.js'
import { type Commit, StorageUnavailable } from '../storage.js'
import type { Client } from './client.js'
import { DEFERRED_FIELD, DEFERRED_ROWS_MIN, deferredOf, finishDeferred } from './deferred.js'
import type { Document, Fields, Write } from './documents.js'
import { Refused } from './errors.js'
import { requireFence, switchWrites } from './generations.js'
import { COMMITS, type Layout, lastOf, numberId } from './layout.js'
import { eventWrites } from './log.js'
import { resolveStored } from './rowChanges.js'
import { present, rowWrites } from './rows.js'

// Each commit is a small document named by its first position: whoever creates it owns that position. So nothing is written at
// the pace of the log, which Firestore does not like, and the log ends where the newest of them says.

const FIRST_GENERATION = 1
/** How often a commit is sent, and how often a name is put into a head that others change. */
const COMMITS_MAX = 4
const NAMINGS_MAX = 100

/** An end that the log had, with the document that says so, and when it was read. */
interface KnownEnd {
  readonly head: Head
  /** The first position of the commit. */
  readonly first: number
  readonly updateTime: Timestamp
  readonly readTime: Timestamp
}

/** The log's end as this process knows it, and what continues it. */
export class LogEnd {
  readonly #client: Client
  readonly #layout: Layout
  #known: KnownEnd | null = null

  constructor(client: Client, layout: Layout) {
    this.#client = client
    this.#layout = layout
  }

  /** Where the log ends, with nothing left to be done up to there: one document and one round trip, but where something is left. */
  async read(): Promise<KnownEnd> {
    for (;;) {
      const { documents, readTime } = await this.#client.query((store) =>
        store.collection(`${this.#layout.log}/${COMMITS}`).orderBy('last', 'desc').limit(1)
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

  /** Does what the commit of this document has left to be done, or some of it. */
  finish(commit: Document): Promise<void> {
    return finishDeferred(this.#client, commit)
  }

  /** Resolves when nothing is left to be done up to a position. Asks only where this process does not know it. */
  async settle(position: number): Promise<void> {
    if (position > (this.#known?.head.position ?? 0)) await this.read()
  }

  /**
   * One request that happens as a whole or not at all: the document that owns the position, the events, the rows. It is the
   * only round trip, but for commits about unnamed rows or unique keys, which ask first, and very large ones, which
   * defer changes.
   */
  async commit({ after, events, ops, head, switch: to }: Commit): Promise<'committed' | 'stale'> {
    const [client, layout] = [this.#client, this.#layout]
    // Asks only where this process does not know that the log ends there.
    let end = this.#known && isAt(this.#known, after) ? this.#known : await this.read()
    if (!isAt(end, after)) return 'stale'
    if (events.length === 0) throw new Error('Rows change with an event.')

    const place = { client, parent: layout.generation(head.generation) }
    const { changes, clash } = await resolveStored(place, ops)
    if (clash !== null) {
      // Where somebody else has written meanwhile, it is with their rows, which this commit was not decided on.
      if (!continues(after, (await this.read()).head)) return 'stale'
      throw new Error(clash)
    }
    const named = changes.filter(({ isNamed }) => isNamed)
    const isDeferring = changes.length - named.length > DEFERRED_ROWS_MIN
    const deferred = isDeferring ? await deferredOf(place.parent, ops, named) : null
    let rows = await rowWrites(place, deferred ? named : changes)
    const logged = await Promise.all(events.map((event) => eventWrites(layout.log, event)))
    const switching = to ? switchWrites(layout, after, to) : []

    for (let attempt = 1; ; attempt++) {
      const owning = commitWrites(layout.log, end, head, deferred)
      const writes = [...owning, ...switching, ...logged.flat(), ...rows.flat()]
      const refused = await client.commit(writes).then(() => null, refusal)
      if (!refused) {
        if (deferred) await this.read()
        return 'committed'
      }
      end = await this.read()
      if (!continues(after, end.head)) return 'stale'
      // Nobody else has written: so it is one of our own conditions.
      if (to) await requireFence(client, layout, to.fence, { cause: refused })
      if (refused.why === 'contended' || attempt === COMMITS_MAX) throw refused
      if (refused.why === 'exists' && !to)
        throw new Error('A version that an event has is in its stream already.', { cause: refused })
      rows = await present(client, rows, refused)
    }
  }

  /** Names in the head what is written from here on. */
  async writeUnder(text: string): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const { first, updateTime } = await this.read()
      const update = commitPath(this.#layout.log, first)
      try {
        await this.#client.commit([{ update, fields: { writtenUnder: text }, writtenAt: updateTime }])
        return
      } catch (error) {
        // Somebody else has written meanwhile.
        if (!(error instanceof Refused) || attempt === NAMINGS_MAX) throw error
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
function commitWrites(log: string, end: KnownEnd, head: Head, deferred: Buffer | null): readonly Write[] {
  // Its seal said that the log ended here. With it, who takes away what comes after would have the seal of that end. What else
  // an end names goes with it: the document changes by that, so nobody moves its names any more who takes it for the end.
  const left = { chain: end.head.chain, seal: undefined, writtenUnder: undefined }
  return [
    {
      create: commitPath(log, end.head.position + 1),
      fields: { ...headFields(head), ...(deferred && { [DEFERRED_FIELD]: deferred }) }
    },
    { update: commitPath(log, end.first), fields: left, writtenAt: end.updateTime }
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
function continues(after: Head, { chain, writtenUnder }: Head): boolean {
  return after.chain === chain && after.writtenUnder === writtenUnder
}

function refusal(error: unknown): Refused {
  if (error instanceof Refused) return error
  throw error
}
