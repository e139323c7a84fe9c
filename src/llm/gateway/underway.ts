import { errors } from '../../errors.js'
import { LIMITS } from '../../limits.js'

/** The calls that are under way, in all and of each account: 429 for more. */
export class Underway {
  readonly #ofAccounts = new Map<string, number>()
  #all = 0

  /** Counts one more; returns what is to be called when it is over, once. */
  enter(userId: string): () => void {
    const own = this.#ofAccounts.get(userId) ?? 0
    if (own >= LIMITS.modelCallsOfAccount.max) throw errors.tooManyModelCalls(LIMITS.modelCallsOfAccount.max)
    if (this.#all >= LIMITS.modelCalls.max) throw errors.tooManyModelCalls(LIMITS.modelCalls.max)
    this.#all++
    this.#ofAccounts.set(userId, own + 1)
    return () => {
      this.#all--
      const left = (this.#ofAccounts.get(userId) ?? 1) - 1
      if (left > 0) this.#ofAccounts.set(userId, left)
      else this.#ofAccounts.delete(userId)
    }
  }
}
