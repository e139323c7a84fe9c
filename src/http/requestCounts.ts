import { Durations } from '../counts.js'
import type { RequestCount } from '../ops/measures.js'

interface Counting extends RequestCount {
  count: number
}

/** What no route was found for: one name for all of it, or every URL that somebody tries would be counted by itself. */
export const UNKNOWN_ROUTE = 'unknown'

/** Counts the requests of a server by method, route and status, all of which are few. */
export class RequestCounts {
  readonly #routes = new Map<string, Map<string, Counting>>()

  /** Counts one. What stays open for as long as its client likes says nothing about how long answers take. */
  add(method: string, route: string, status: number, took_ms: number, isStream: boolean): void {
    const known = this.#routes.get(route) ?? new Map<string, Counting>()
    if (known.size === 0) this.#routes.set(route, known)
    const key = `${method}${status}`
    let counting = known.get(key)
    if (!counting) {
      counting = { method, route, status, count: 0, durations: new Durations() }
      known.set(key, counting)
    }
    counting.count++
    if (!isStream) counting.durations.add(took_ms / 1000)
  }

  *[Symbol.iterator](): Generator<RequestCount> {
    for (const known of this.#routes.values()) yield* known.values()
  }
}
