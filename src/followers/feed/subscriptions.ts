import { errors } from '../../errors.js'

const OF_ONE_TOKEN_MAX = 8
const IN_ALL_MAX = 1000

/** Who follows the log over an open connection: so many of one token and in all, and no more. */
export class Subscriptions {
  readonly #open = new Map<string, Set<AbortController>>()
  /** Since when each is open; the oldest first. */
  readonly #since = new Map<AbortController, number>()
  #isOver = false

  /** How many are open. */
  get count(): number {
    return this.#since.size
  }

  /** Since when the oldest is open, in milliseconds; null where none is. */
  get oldest(): number | null {
    const [first = null] = this.#since.values()
    return first
  }

  /** How many more a token may have, and how many it may have in all. */
  left(tokenId: string): { readonly left: number; readonly max: number } {
    return { left: OF_ONE_TOKEN_MAX - (this.#open.get(tokenId)?.size ?? 0), max: OF_ONE_TOKEN_MAX }
  }

  /** Begins one, now. Refuses with 429 where there are too many, and with 503 when all have ended. `ended` is aborted when it must end. */
  enter(tokenId: string, now = Date.now()): { readonly ended: AbortSignal; readonly leave: () => void } {
    if (this.#isOver) throw errors.unavailable()
    const own = this.#open.get(tokenId) ?? new Set()
    if (own.size >= OF_ONE_TOKEN_MAX) throw errors.tooManyStreams(OF_ONE_TOKEN_MAX)
    if (this.count >= IN_ALL_MAX) throw errors.tooManyStreams(IN_ALL_MAX)
    const end = new AbortController()
    this.#open.set(tokenId, own.add(end))
    this.#since.set(end, now)
    const leave = () => {
      if (!own.delete(end)) return
      this.#since.delete(end)
      if (own.size === 0) this.#open.delete(tokenId)
    }
    return { ended: end.signal, leave }
  }

  /** Ends all, for good: clients come back to whoever serves then, and go on where they were. */
  end(): void {
    this.#isOver = true
    for (const own of this.#open.values()) for (const one of own) one.abort()
  }
}

/** Those of each tenant: so many of one are no fewer of another. */
export class SubscriptionsByTenant {
  readonly #all = new Map<string, Subscriptions>()
  #isOver = false

  of({ id }: { readonly id: string }): Subscriptions {
    const own = this.#all.get(id) ?? new Subscriptions()
    if (this.#isOver) own.end()
    this.#all.set(id, own)
    return own
  }

  /** How many are open of all. */
  get count(): number {
    return [...this.#all.values()].reduce((sum, { count }) => sum + count, 0)
  }

  /** Ends all, for good. */
  end(): void {
    this.#isOver = true
    for (const own of this.#all.values()) own.end()
  }
}
