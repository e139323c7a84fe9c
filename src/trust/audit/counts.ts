import { giveWay } from '../../lib/turns.js'
import type { EventHeader } from '../../log/event.js'
import { kindIn } from '../../records/history/streams.js'

/** How often what happened; each in the order in which it came. */
export interface Counts {
  readonly events: number
  readonly kinds: ReadonlyMap<string, number>
  readonly types: ReadonlyMap<string, number>
  readonly actors: ReadonlyMap<string, number>
  /** By day, in UTC. */
  readonly days: ReadonlyMap<string, number>
}

/** Counts events by kind of stream, by type, by account and by day. Others have their turn in between. */
export async function countsOf(pages: AsyncIterable<readonly EventHeader[]>): Promise<Counts> {
  const kinds = new Map<string, number>()
  const types = new Map<string, number>()
  const actors = new Map<string, number>()
  const days = new Map<string, number>()
  let events = 0
  for await (const page of pages) {
    events += page.length
    for (const { stream, type, actorId, at } of page) {
      count(kinds, kindIn(stream))
      count(types, type)
      count(actors, actorId)
      count(days, at.slice(0, 10))
    }
    await giveWay()
  }
  return { events, kinds, types, actors, days }
}

/** What was counted with how often, the most frequent first. */
export function byFrequency(counts: ReadonlyMap<string, number>): readonly (readonly [string, number])[] {
  return [...counts].sort(([, a], [, b]) => b - a)
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
