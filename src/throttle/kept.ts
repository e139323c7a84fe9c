import { LIMITS } from '../limits.js'

/**
 * Small texts that the store keeps for a while, by keys of their own: what is on its way between two requests, at whichever hub. Every
 * method rejects with `ThrottleUnavailable` when the store does not answer at once.
 */
export interface Kept {
  get(key: string): Promise<string | null>
  /** False where there is no room: the text is too large, or too many are kept. */
  set(key: string, text: string, seconds: number): Promise<boolean>
  /** True for the first who asks within so many seconds: of several together one alone. */
  claim(key: string, seconds: number): Promise<boolean>
  delete(key: string): Promise<void>
}

interface Entry {
  readonly text: string
  readonly end_ms: number
}

/** What this process alone keeps, forgotten when it ends. `now` is in milliseconds on a clock that never goes back. */
export function createMemoryKept(now: () => number): Kept {
  const entries = new Map<string, Entry>()
  const dropEnded = () => {
    const time = now()
    for (const [key, { end_ms }] of entries) if (end_ms <= time) entries.delete(key)
  }
  const get = (key: string) => {
    const entry = entries.get(key)
    return entry && entry.end_ms > now() ? entry.text : null
  }
  const set = (key: string, text: string, seconds: number) => {
    if (text.length > LIMITS.keptText.max) return false
    if (!entries.has(key) && entries.size >= LIMITS.kept.max) dropEnded()
    if (!entries.has(key) && entries.size >= LIMITS.kept.max) return false
    entries.set(key, { text, end_ms: now() + seconds * 1000 })
    return true
  }
  return {
    get: async (key) => get(key),
    set: async (key, text, seconds) => set(key, text, seconds),
    claim: async (key, seconds) => get(key) === null && set(key, '', seconds),
    delete: async (key) => void entries.delete(key)
  }
}
