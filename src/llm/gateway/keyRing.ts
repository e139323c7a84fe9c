/** How long a key is left alone that has too much to do, where the provider does not say. */
const PAUSE_MS = 10_000

/** The keys of providers, of which each call takes the next that works: one that was refused, or has too much to do, is passed over. */
export class KeyRing {
  readonly #now: () => number
  /** Until when a key is passed over. */
  readonly #out = new Map<string, number>()
  #turn = 0

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** The key for the next call; where all are passed over, the one that is so for the shortest time. Empty for none. */
  next(keys: readonly string[]): string {
    if (keys.length <= 1) return keys[0] ?? ''
    const outUntil = (key: string) => this.#out.get(key) ?? 0
    const at = this.#turn++ % keys.length
    const inTurn = [...keys.slice(at), ...keys.slice(0, at)]
    return (
      inTurn.find((key) => outUntil(key) <= this.#now()) ??
      inTurn.reduce((best, key) => (outUntil(key) < outUntil(best) ? key : best))
    )
  }

  /**
   * Takes in with which status a call with this key has failed, null for none, and returns whether another key may do better. One that was
   * refused is passed over until the configuration is read again, one that has too much to do for as long as the provider says.
   */
  failed(key: string, status: number | null, wait_ms: number | null): boolean {
    const isRefused = status === 401 || status === 403
    if (!isRefused && status !== 429) return false
    this.#out.set(key, isRefused ? Number.POSITIVE_INFINITY : this.#now() + (wait_ms ?? PAUSE_MS))
    return true
  }
}
