import { LIMITS } from '../limits.js'

/**
 * Small texts that the store keeps for a while, by keys of their own: what is on its way between two requests, at whichever hub. What a
 * key begins with, up to its last colon, is its kind, and has a room of its own. Every method rejects with `ThrottleUnavailable` when the store does not answer at once.
 */
export interface ExpiringTexts {
  get(key: string): Promise<string | null>
  /** False where there is no room: the text is too large, or too many are kept. */
  set(key: string, text: string, seconds: number): Promise<boolean>
  /** True for the first who asks within so many seconds: of several together one alone. */
  claim(key: string, seconds: number): Promise<boolean>
  /** The how many-eth it is of this key, within so many seconds from the first. Where there is no room, more than any. */
  count(key: string, seconds: number): Promise<number>
  delete(key: string): Promise<void>
}

interface Entry {
  readonly text: string
  readonly end_ms: number
}

/** What this process alone keeps, forgotten when it ends. `now` is in milliseconds on a clock that never goes back. */
export function createMemoryTexts(now: () => number): ExpiringTexts {
  const kinds = new Map<string, Map<string, Entry>>()
  const entriesFor = (key: string) => {
    const kind = key.slice(0, key.lastIndexOf(':'))
    const entries = kinds.get(kind) ?? new Map<string, Entry>()
    kinds.set(kind, entries)
    return entries
  }
  const find = (key: string) => {
    const entry = entriesFor(key).get(key)
    return entry && entry.end_ms > now() ? entry : null
  }
  const put = (key: string, text: string, end_ms: number) => {
    const entries = entriesFor(key)
    if (text.length > LIMITS.keptText.max) return false
    if (!entries.has(key) && entries.size >= LIMITS.kept.max) dropEnded(entries, now())
    if (!entries.has(key) && entries.size >= LIMITS.kept.max) return false
    entries.set(key, { text, end_ms })
    return true
  }
  const endAfter = (seconds: number) => now() + seconds * 1000
  return {
    get: async (key) => find(key)?.text ?? null,
    set: async (key, text, seconds) => put(key, text, endAfter(seconds)),
    claim: async (key, seconds) => find(key) === null && put(key, '', endAfter(seconds)),
    async count(key, seconds) {
      const { text = '0', end_ms = endAfter(seconds) } = find(key) ?? {}
      const count = Number(text) + 1
      return put(key, String(count), end_ms) ? count : Number.POSITIVE_INFINITY
    },
    delete: async (key) => void entriesFor(key).delete(key)
  }
}

function dropEnded(entries: Map<string, Entry>, time_ms: number): void {
  for (const [key, { end_ms }] of entries) if (end_ms <= time_ms) entries.delete(key)
}
