import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { FieldPath, type Query } from '@google-cloud/firestore'
import type { BlobStore } from '../blobs.js'
import { ABOVE_EVERY_KEY, type StateEntry, type StateStore } from '../state.js'
import type { Client } from './client.js'
import { type Document, replacing, textOf } from './documents.js'
import { Refused } from './errors.js'
import { BLOBS, documentId, rowId } from './layout.js'

/** Below every key: an id may not be empty. */
const FIRST = '!'

/** A collection with a document for each key. */
function keyed(client: Client, collection: string) {
  const pathOf = (key: string) => `${collection}/${documentId(key)}`
  return {
    pathOf,
    get: async (key: string) => (await client.get([pathOf(key)])).documents[0],
    /** Those of which a question about all that are above a key, ascending, wants to know. */
    async above(after: string, some: (all: Query) => Query): Promise<readonly Document[]> {
      const from = after === '' ? FIRST : documentId(after)
      const { documents } = await client.query((store) =>
        some(store.collection(collection).orderBy(FieldPath.documentId()).startAfter(from))
      )
      return documents
    },
    delete: (key: string) => client.commit([{ remove: pathOf(key) }])
  }
}

/** A `StateStore` in a collection. */
export function firestoreState(client: Client, collection: string): StateStore {
  const { pathOf, get, above, delete: remove } = keyed(client, collection)
  return {
    async get(key) {
      const found = await get(key)
      return found ? entryOf(found) : null
    },
    async put(key, text, over) {
      const found = over === null ? undefined : await get(key)
      if (over !== null && textOf(found?.fields.mark) !== over) return null
      const mark = randomUUID()
      try {
        await client.commit([replacing(pathOf(key), { mark, body: text }, found)])
        return mark
      } catch (error) {
        if (error instanceof Refused) return null
        throw error
      }
    },
    async list(prefix, after, limit) {
      const end = documentId(prefix + ABOVE_EVERY_KEY)
      return (await above(after, (all) => all.endAt(end).limit(limit))).map(entryOf)
    },
    delete: remove
  }
}

function entryOf({ path, fields }: Document): StateEntry {
  return { key: rowId(path), mark: textOf(fields.mark) ?? '', text: textOf(fields.body) ?? '' }
}

/** The `BlobStore` in a collection below `aside`: a document for each key, far below the size that one may have. */
export function firestoreBlobs(client: Client, aside: string): BlobStore {
  const { pathOf, get, above, delete: remove } = keyed(client, `${aside}/${BLOBS}`)
  return {
    async get(key) {
      const text = textOf((await get(key))?.fields.body)
      return text === null ? null : Buffer.from(text, 'base64')
    },
    async put(key, bytes) {
      await client.commit([{ set: pathOf(key), fields: { body: Buffer.from(bytes).toString('base64') } }])
    },
    async list(after, limit) {
      return (await above(after, (all) => all.limit(limit).select())).map(({ path }) => rowId(path))
    },
    delete: remove
  }
}

const LEASE_MS = 6000
const RENEWAL_MS = 1500
const POLL_MS = 250

/** What leases go by: a clock that only goes on, in milliseconds, and how to wait. */
export interface LeaseClock {
  readonly now: () => number
  /** Resolves after so long; rejects where the signal comes before. */
  readonly pause: (time_ms: number, over?: AbortSignal) => Promise<unknown>
}

const machine: LeaseClock = {
  now: () => performance.now(),
  pause: (time_ms, signal) => setTimeout(time_ms, undefined, { signal })
}

/**
 * Runs `work` while no other process holds the lease of that name. A lease is a state that its holder writes again and again;
 * one that stays for six seconds as it was, by the clock of whoever waits for it, belongs to a process that has ended.
 */
export async function whileLeased<T>(
  state: StateStore,
  name: string,
  work: () => Promise<T>,
  signal?: AbortSignal,
  clock = machine
): Promise<T> {
  // By this its holder knows it, whatever became of the answer to a renewal.
  const holder = randomUUID()
  let mark: string | null = await taken(state, name, holder, clock, signal)
  const ended = new AbortController()
  const own = async () => {
    const found = await state.get(name)
    return found?.text === holder ? found : null
  }
  const renewed = async (held: string) => {
    const next = await state.put(name, holder, held)
    return next ?? (await own())?.mark ?? null
  }
  const isDue = () =>
    clock.pause(RENEWAL_MS, ended.signal).then(
      () => true,
      () => false
    )
  const renew = async () => {
    while (mark !== null && (await isDue())) {
      const held: string = mark
      // The next renewal may come in time; and what the lease is for can be repeated, where another has it in the end.
      mark = await renewed(held).catch(() => held)
    }
  }
  const renewing = renew()
  try {
    return await work()
  } finally {
    ended.abort()
    await renewing
    // Where it cannot be released it runs out.
    if (await own().catch(() => null)) await state.delete(name).catch(() => {})
  }
}

/** Takes a lease when it is free, and returns its mark. Rejects with the reason of `signal` where that comes before. */
async function taken(
  state: StateStore,
  key: string,
  holder: string,
  { now, pause }: LeaseClock,
  signal?: AbortSignal
): Promise<string> {
  let seen: string | null = null
  for (let since = now(); ; await pause(POLL_MS)) {
    signal?.throwIfAborted()
    const over = (await state.get(key))?.mark ?? null
    if (over !== seen) [seen, since] = [over, now()]
    if (over !== null && now() - since < LEASE_MS) continue
    const mark = await state.put(key, holder, over)
    if (mark !== null) return mark
  }
}
