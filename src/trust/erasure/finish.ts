import type { z } from 'zod'
import type { erasureEvents } from '../../../commands/log/erasure/events.js'
import type { Ledger } from '../../ledger/ledger.js'
import { giveWay } from '../../lib/turns.js'
import { slices } from '../../limits.js'
import { canonicalJson } from '../../log/canonical.js'
import type { StoredEvent } from '../../log/event.js'
import { eventsOf, pagesOf } from '../../log/logQuery.js'
import { eventsAt } from '../../log/pages.js'
import type { Erasure } from '../../storage/storage.js'
import { erasureIn, type LoggedErasure, leftOf } from '../audit/erased.js'
import { withoutValue } from './pointer.js'

/** How much was taken away. */
export interface Erased {
  readonly names: number
  readonly payloads: number
}

type Source = Pick<Ledger, 'storage'>

/** Where it is noted up to which position nothing is left of what erasures have told. */
const KEY = 'erasures-carried-out'
/** So many are taken away in one go. */
const ERASURES_MAX = 200
const TELLING = ['PayloadsErased', 'NamesErased', 'ValueErased']

/**
 * Takes away what the log tells was erased and holds nevertheless. An erasure is told before it is carried out, and whoever did so may
 * have been killed in between: what it told of is in no table any more, so nobody would find it. Rejects with the reason of `signal`
 * once that is aborted; what is left then goes the next time.
 */
export function finishErasures(source: Source, signal?: AbortSignal): Promise<Erased> {
  return whileNobodyErases(source, () => finishErasuresLocked(source, signal), signal)
}

/**
 * Runs what reads a text and puts what is left of it in its place, while no other process does so: it would bring back what the
 * other has taken away.
 */
export function whileNobodyErases<T>({ storage }: Source, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  return storage.schema.exclusively(work, 'erase', signal)
}

/** As `finishErasures`, for who runs it while nobody else erases. */
export async function finishErasuresLocked(source: Source, signal?: AbortSignal): Promise<Erased> {
  const { storage } = source
  const { position: through } = await storage.head()
  const noted = await storage.state.get(KEY)
  const after = Number(noted?.text ?? 0)
  // A log that went back goes on in another way.
  const erased = await eraseTold(source, after > through ? 0 : after, through, signal)
  if (through !== after) await storage.state.put(KEY, String(through), noted?.mark ?? null)
  return erased
}

/**
 * Takes away what the events behind a position, up to where the log ends unless told, tell was erased and the log holds nevertheless;
 * for who runs it while nobody else erases.
 */
export async function eraseTold(source: Source, after: number, end?: number, signal?: AbortSignal): Promise<Erased> {
  const through = end ?? (await source.storage.head()).position
  const range = { from: { position: after + 1 }, to: { position: through } }
  let [names, payloads] = [0, 0]
  // One by one: an index answers for a type alone.
  for (const type of TELLING) {
    for await (const event of eventsOf(source, { filter: { types: [type] }, ...range })) {
      const told = erasureIn(event)
      signal?.throwIfAborted()
      if (told?.type === 'NamesErased') names += await eraseNames(source, told.data, signal)
      else if (told) payloads += await erasePayloads(source, told)
    }
  }
  return { names, payloads }
}

type Names = z.infer<(typeof erasureEvents)['NamesErased']['data']>

/** Takes away the names and addresses that an event tells of, those that are there still. Returns how many. */
export async function eraseNames(
  source: Source,
  { actorId, afterPosition, throughPosition }: Names,
  signal?: AbortSignal
): Promise<number> {
  const filter = actorId === null ? {} : { actorId }
  let count = 0
  const range = { from: { position: afterPosition + 1 }, to: { position: throughPosition } }
  for await (const page of pagesOf(source, { filter, ...range })) {
    signal?.throwIfAborted()
    const named = page.filter(({ whoErased }) => !whoErased)
    if (named.length > 0) await source.storage.erase(named.map((event) => ({ event, part: 'who', text: null })))
    count += named.length
  }
  return count
}

async function erasePayloads(
  { storage }: Source,
  told: Exclude<LoggedErasure, { readonly type: 'NamesErased' }>
): Promise<number> {
  const events = told.type === 'ValueErased' ? [told.data] : told.data.positions.map((position) => ({ position }))
  const path = told.type === 'ValueErased' ? told.data.path : null
  const erasures: Erasure[] = []
  for await (const event of eventsAt(storage, events)) erasures.push(...erasureOf(event, path))
  for (const some of slices(erasures, ERASURES_MAX)) {
    await storage.erase(some)
    await giveWay()
  }
  return erasures.length
}

/** What is to be taken out of a payload: all of it, or the text that a path leads to; nothing where nothing is left of that. */
function erasureOf(event: StoredEvent, path: string | null): readonly Erasure[] {
  const { text, salt } = event.payload
  if (text === null) return []
  const left = path === null ? leftOf(event) : canonicalJson(withoutValue(JSON.parse(text), path))
  const { position, stream, version } = event
  return salt === null && text === left ? [] : [{ event: { position, stream, version }, part: 'payload', text: left }]
}
