import { createMemoryTexts } from './expiringTexts.js'
import type { HeadFiles } from './headFiles.js'
import type { Block, Counter, Throttle, ThrottleState } from './throttle.js'
import { createMemoryTickets } from './tickets.js'

export interface MemoryThrottleOptions {
  /** Milliseconds on a clock that never goes back. */
  readonly now?: () => number
  readonly maxKeys?: number
  /** Where it is kept how far logs have come, closed with this; nowhere, unless told. */
  readonly heads?: HeadFiles
}

interface Entry {
  readonly failures: number
  readonly windowEnd: number
  readonly blockEnd: number
}

const MAX_KEYS = 100_000
const SWEEP_PAUSE_MS = 1000

const NOWHERE: HeadFiles = {
  furthest: async () => null,
  announce: async () => null,
  accept: async () => {},
  close: () => {}
}

/**
 * A throttle inside this process: for a hub that is one process, and forgotten when that ends. It holds at most
 * `maxKeys` keys; when one too many arrives, keys that have expired go first, else the hundredth that failed longest ago.
 */
export function createMemoryThrottle(options: MemoryThrottleOptions = {}): Throttle {
  const { now = () => performance.now(), maxKeys = MAX_KEYS, heads = NOWHERE } = options
  // In the order of the last failure: `count` takes a key out before it puts it back. Not an lru-cache: with the times at
  // which keys expire it takes 3.5 us for a failure in a flood where this takes 1.4.
  const entries = new Map<string, Entry>()
  let nextSweep = Number.NEGATIVE_INFINITY

  const makeRoom = (time: number): void => {
    if (entries.size < maxKeys) return
    // Not more than once a second: under a flood of new keys each sweep would look at all of them for little.
    if (time >= nextSweep) {
      nextSweep = time + SWEEP_PAUSE_MS
      for (const [key, entry] of entries) if (hasExpired(entry, time)) entries.delete(key)
    }
    // Several at once: a map that loses its first key again and again finds the next one ever more slowly.
    if (entries.size < maxKeys) return
    const enough = maxKeys - Math.ceil(maxKeys / 100)
    for (const key of entries.keys()) {
      if (entries.size <= enough) return
      entries.delete(key)
    }
  }

  const check = (key: string): ThrottleState => {
    const entry = entries.get(key)
    return entry === undefined ? { blocked: false, failures: 0 } : stateOf(entry, now())
  }

  /** Counts one failure, and says how many there are now. */
  const count = ({ key, policy }: Counter, time: number): number => {
    const known = entries.get(key)
    entries.delete(key)
    makeRoom(time)
    const open = known !== undefined && time < known.windowEnd ? known : null
    const failures = (open?.failures ?? 0) + 1
    const windowEnd = open?.windowEnd ?? time + policy.windowSeconds * 1000
    const blocks = failures >= policy.maxFailures
    entries.set(key, { failures, windowEnd, blockEnd: blocks ? time + policy.blockSeconds * 1000 : time })
    return failures
  }

  return {
    check: async (key) => check(key),
    fail: async (counters) => {
      if (counters.some(({ key }) => check(key).blocked)) return { refused: true, blocks: [], counts: [] }
      const time = now()
      const counts = counters.map((counter) => count(counter, time))
      const blocked = counters.filter(({ policy }, i) => (counts[i] ?? 0) >= policy.maxFailures)
      return { refused: false, blocks: blocked.map(({ key }) => key), counts }
    },
    blocks: async (max, isWanted = () => true) => {
      const time = now()
      const blocks: Block[] = []
      for (const [key, { blockEnd }] of entries) {
        if (blocks.length >= max) break
        if (time < blockEnd && isWanted(key)) blocks.push({ key, seconds: Math.ceil((blockEnd - time) / 1000) })
      }
      return blocks
    },
    clear: async (key) => void entries.delete(key),
    tickets: createMemoryTickets(now),
    texts: createMemoryTexts(now),
    heads,
    ping: async () => undefined,
    async close() {
      entries.clear()
      heads.close()
    }
  }
}

function stateOf(entry: Entry, time: number): ThrottleState {
  return { blocked: time < entry.blockEnd, failures: time < entry.windowEnd ? entry.failures : 0 }
}

function hasExpired(entry: Entry, time: number): boolean {
  return time >= entry.windowEnd && time >= entry.blockEnd
}
