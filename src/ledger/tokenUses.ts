import type { Storage } from '../storage/storage.js'

const INTERVAL_MS = 60_000
const FLUSH_DELAY_MS = 250
const TOKENS_MAX = 100_000

/**
 * When each token was last used, to the minute: one write per token and minute, gathered, off the path of the request.
 * Telemetry: it is lost where the database is away, and a failure is nobody's error.
 */
export class TokenUses {
  readonly #storage: Storage
  readonly #now: () => number
  readonly #noted = new Map<string, number>()
  #waiting = new Map<string, string>()
  #flushing: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | null = null

  /** `now` is the clock that the log goes by. */
  constructor(storage: Storage, now: () => number) {
    this.#storage = storage
    this.#now = now
  }

  note(tokenId: string): void {
    const now = this.#now()
    // A clock that was set back is no reason to wait until it has passed that time.
    if (Math.abs(now - (this.#noted.get(tokenId) ?? 0)) < INTERVAL_MS) return
    if (this.#noted.size >= TOKENS_MAX) this.#noted.clear()
    this.#noted.set(tokenId, now)
    this.#waiting.set(tokenId, new Date(now).toISOString())
    this.#timer ??= setTimeout(() => void this.flush(), FLUSH_DELAY_MS).unref()
  }

  /** What is known, with what was noted and is not written yet. */
  async all(): Promise<ReadonlyMap<string, string>> {
    await this.flush()
    return this.#storage.tokenUses()
  }

  /** Writes what waits. Never rejects. */
  flush(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    const uses = this.#waiting
    this.#waiting = new Map()
    if (uses.size > 0) {
      this.#flushing = this.#flushing.then(() => this.#storage.touchTokens(uses)).catch(() => {})
    }
    return this.#flushing
  }
}
