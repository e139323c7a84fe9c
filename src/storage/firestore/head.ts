import { GENESIS } from '../../log/chain.js'
import type { Head } from '../../log/event.js'
import { StorageUnavailable } from '../storage.js'
import type { Client } from './client.js'
import { HAS_DEFERRED, hasDeferred } from './deferred.js'
import { Refused } from './errors.js'
import { COMMITS, lastOf, numberId } from './layout.js'
import { encode, type Fields, integerOf, textOf } from './values.js'
import type { Document, QueryResult, ServerTime, Write } from './wire.js'

// Each commit is a small document named by its first position: whoever creates it owns that position. The log's end is
// found by reading forward, from where this process knows it to have been or, at first, from a hint. A hint that is old
// only makes the reading longer.

const PAGE = 300
/** How many positions pass between one hint and the next, so that no document is written at the pace of the log. */
const HINT_INTERVAL = 256
const FIRST_GENERATION = 1
const ATTEMPTS_MAX = 100
/** What only the last document has. */
const NAMED = ['seal', 'writtenUnder'] as const

/** An end that the log had, with the document that says so. */
export interface KnownEnd {
  readonly head: Head
  /** The first position of the commit. */
  readonly first: number
  readonly updateTime: ServerTime
}

/** The log's end as this process knows it. */
export class LogEnd {
  readonly #client: Client
  readonly #log: string
  readonly #finish: () => Promise<void>
  #known: KnownEnd | null = null

  /** `finish` does what commits have left to be done: no end is shown before everything up to it is. */
  constructor(client: Client, log: string, finish: () => Promise<void>) {
    this.#client = client
    this.#log = log
    this.#finish = finish
  }

  /** Where the log ends: one round trip, which reads one document and what others have committed meanwhile. */
  async read(): Promise<KnownEnd> {
    const from = this.#known
    if (!from) return this.#discover()
    const page = await this.#page(from.first)
    const [first] = page.documents
    const own = first && endOf(first)
    if (own?.first !== from.first || own.head.chain !== from.head.chain) {
      // Not the log that this process knows: the database was put back to an earlier state.
      if (this.#known === from) this.#known = null
      return this.#discover()
    }
    if (this.#known === from) this.#known = own
    return page.documents.length > 1 ? ((await this.#forward(from.first, page)) ?? own) : own
  }

  /** The end that a commit continues; null when the log does not end there. Asks only where this process does not know it. */
  async at(after: Head): Promise<KnownEnd | null> {
    if (this.#known && isAt(this.#known, after)) return this.#known
    const end = await this.read()
    return isAt(end, after) ? end : null
  }

  /** Takes in a commit of this process. */
  advance(end: KnownEnd): void {
    if (!this.#known || end.head.position > this.#known.head.position) this.#known = end
  }

  /** The log's end and the moment at which it was read, with nothing left to be done up to it. */
  async readAtOneMoment(): Promise<{ readonly head: Head; readonly readTime: ServerTime }> {
    for (;;) {
      const { head, first } = await this.read()
      const answer = await this.#page(first)
      const later = answer.documents.slice(1)
      const last = later.at(-1)
      // What such a commit leaves to be done was not done yet at that moment.
      if (later.some(hasDeferred) || later.length >= PAGE - 1) continue
      return { head: last ? endOf(last).head : head, readTime: answer.readTime }
    }
  }

  async #discover(): Promise<KnownEnd> {
    await this.#finish()
    const { documents } = await this.#client.get([this.#log])
    const hint = integerOf(documents[0]?.fields.first) ?? 0
    const end = (await this.#forward(hint)) ?? (await this.#forward(0))
    if (!end) throw new StorageUnavailable('The database has no hub in it yet. Run `hub migrate`.')
    return end
  }

  /** The last end from a commit on that begins at `first`; null where there is none. `page` is where that was read already. */
  async #forward(first: number, page?: QueryResult): Promise<KnownEnd | null> {
    let end: KnownEnd | null = null
    let isWorkLeft = false
    let read = page
    for (let from = first; ; ) {
      const { documents } = read ?? (await this.#page(from))
      read = undefined
      isWorkLeft ||= documents.some(hasDeferred)
      const last = documents.at(-1)
      if (last) end = endOf(last)
      if (!end || documents.length < PAGE) break
      from = end.head.position + 1
    }
    if (isWorkLeft) await this.#finish()
    if (end) this.advance(end)
    return end
  }

  #page(first: number): Promise<QueryResult> {
    const from = { name: commitName(this.#log, first), inclusive: true }
    return this.#client.query(this.#log, { collection: COMMITS, from, limit: PAGE })
  }
}

/** The beginning of a log, which is created only where there is none. */
export function genesisWrite(log: string): Write {
  const head = { position: 0, chain: GENESIS, at: new Date(0).toISOString(), generation: FIRST_GENERATION }
  return { set: commitName(log, 0), fields: headFields(head), only: { exists: false } }
}

/**
 * What makes a commit the next one: its document must not be there, and the one that it continues must be there and be the
 * one that is known. That one is written as it is, which changes nothing and is refused where it is another.
 */
export function commitWrites(log: string, end: KnownEnd, head: Head, isDeferring: boolean): readonly Write[] {
  const first = end.head.position + 1
  const own = { ...headFields(head), ...(isDeferring && HAS_DEFERRED) }
  const writes: Write[] = [
    { set: commitName(log, first), fields: own, only: { exists: false } },
    {
      set: commitName(log, end.first),
      fields: { chain: encode(end.head.chain) },
      // Its seal said that the log ended here. With it, who takes away what comes after would have the seal of that end. What else
      // an end names goes with it: the document changes by that, so nobody moves its names any more who takes it for the end.
      mask: ['chain', ...NAMED.filter((field) => end.head[field] !== undefined)],
      only: { updateTime: end.updateTime }
    }
  ]
  const isHinted = Math.floor(first / HINT_INTERVAL) !== Math.floor((head.position + 1) / HINT_INTERVAL)
  if (isHinted) writes.push({ set: log, fields: { first: encode(first) } })
  return writes
}

function commitName(log: string, first: number): string {
  return `${log}/${COMMITS}/${numberId(first)}`
}

function headFields({ position, chain, at, generation, seal, writtenUnder }: Head): Fields {
  const fields = { last: encode(position), chain: encode(chain), at: encode(at), generation: encode(generation) }
  return {
    ...fields,
    ...(seal !== undefined && { seal: encode(seal) }),
    ...(writtenUnder !== undefined && { writtenUnder: encode(writtenUnder) })
  }
}

function endOf({ name, fields, updateTime }: Document): KnownEnd {
  const [seal, writtenUnder] = [fields.seal, fields.writtenUnder].map(textOf)
  const head = {
    ...(typeof seal === 'string' && { seal }),
    ...(typeof writtenUnder === 'string' && { writtenUnder }),
    position: integerOf(fields.last) ?? 0,
    chain: textOf(fields.chain) ?? '',
    at: textOf(fields.at) ?? '',
    generation: integerOf(fields.generation) ?? FIRST_GENERATION
  }
  return { head, first: Number(lastOf(name)), updateTime }
}

function isAt({ head }: KnownEnd, after: Head): boolean {
  return head.position === after.position && continues(after, head)
}

/** True where a commit behind `after` continues the head. */
export function continues(after: Head, { chain, writtenUnder }: Head): boolean {
  return after.chain === chain && after.writtenUnder === writtenUnder
}

/** Names in the head what is written from here on. */
export async function writeUnder(client: Client, log: string, end: LogEnd, text: string): Promise<void> {
  await persistently(async () => {
    const { first, updateTime } = await end.read()
    const fields = { writtenUnder: encode(text) }
    await client.commit([{ set: commitName(log, first), fields, mask: ['writtenUnder'], only: { updateTime } }])
  })
}

/** Does it again where somebody else has written meanwhile. */
async function persistently(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Refused) || attempt === ATTEMPTS_MAX) throw error
    }
  }
}
