import type { EventHeader } from '../log/event.js'

/** How often what happened. */
export interface Stats {
  readonly events: number
  readonly types: Readonly<Record<string, number>>
  readonly actors: Readonly<Record<string, number>>
  /** By day, in UTC. */
  readonly days: Readonly<Record<string, number>>
}

/** Counts events by type, by account and by day, each from the most frequent on; days in their order. */
export async function statsOf(pages: AsyncIterable<readonly EventHeader[]>): Promise<Stats> {
  const [types, actors, days] = [new Map<string, number>(), new Map<string, number>(), new Map<string, number>()]
  let events = 0
  for await (const page of pages) {
    events += page.length
    for (const { type, actorId, at } of page) {
      count(types, type)
      count(actors, actorId)
      count(days, at.slice(0, 10))
    }
  }
  return { events, types: byFrequency(types), actors: byFrequency(actors), days: Object.fromEntries(days) }
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

function byFrequency(counts: ReadonlyMap<string, number>): Readonly<Record<string, number>> {
  return Object.fromEntries([...counts].sort(([, a], [, b]) => b - a))
}
