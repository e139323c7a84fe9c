import type { TokenRow } from '../../../queries/callers.js'
import { errors } from '../../errors.js'
import { CountsById } from '../../lib/countsById.js'

const OF_ONE_TOKEN_MAX = 8
const OF_ONE_ACCOUNT_MAX = 256
const IN_ALL_MAX = 1000

type TokenOf = Pick<TokenRow, 'id' | 'userId'>

/** Who follows the log over an open connection: so many of one token, of one account and in all, and no more. */
export class Subscriptions {
  /** How many are open of each token, and of each account. */
  readonly #counts = new CountsById()
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
  left({ id, userId }: TokenOf): { readonly left: number; readonly max: number } {
    const ofToken = OF_ONE_TOKEN_MAX - this.#counts.of(id)
    return { left: Math.min(ofToken, OF_ONE_ACCOUNT_MAX - this.#counts.of(userId)), max: OF_ONE_TOKEN_MAX }
  }

  /** Begins one, now. Refuses with 429 where there are too many, and with 503 when all have ended. `ended` is aborted when it must end. */
  enter({ id, userId }: TokenOf, now = Date.now()): { readonly ended: AbortSignal; readonly leave: () => void } {
    if (this.#isOver) throw errors.unavailable()
    if (this.#counts.of(id) >= OF_ONE_TOKEN_MAX) throw errors.tooManyStreams(OF_ONE_TOKEN_MAX)
    if (this.#counts.of(userId) >= OF_ONE_ACCOUNT_MAX) throw errors.tooManyStreams(OF_ONE_ACCOUNT_MAX)
    if (this.count >= IN_ALL_MAX) throw errors.tooManyStreams(IN_ALL_MAX)
    const end = new AbortController()
    this.#since.set(end, now)
    const takeOff = this.#counts.add(id, userId)
    const leave = () => {
      if (this.#since.delete(end)) takeOff()
    }
    return { ended: end.signal, leave }
  }

  /** Ends all, for good: clients come back to whoever serves then, and go on where they were. */
  end(): void {
    this.#isOver = true
    for (const one of this.#since.keys()) one.abort()
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
