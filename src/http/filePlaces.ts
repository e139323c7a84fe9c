import { errors } from '../errors.js'
import { LIMITS, type Limit } from '../limits.js'

type Bounds = Readonly<Record<'importThreads' | 'importsOfOne' | 'importsWaiting', Pick<Limit, 'max'>>>

/**
 * Places for those whose files are read or written. An account has one place at a time: whatever it sends, the others are for
 * others. Of those who wait each account has its turn, however much of it waits.
 */
export class FilePlaces {
  readonly #bounds: Bounds
  /** The accounts that have a place. */
  readonly #placed = new Set<string>()
  /** What waits of each account, in the order in which accounts have their turn. */
  readonly #waiting = new Map<string, readonly (() => void)[]>()

  constructor(bounds: Bounds = LIMITS) {
    this.#bounds = bounds
  }

  /** Does the work of an account in a place of its own. Refuses with 429 where the account has too much of it, with 503 where many wait. */
  async hold<T>(account: string, work: () => Promise<T>): Promise<T> {
    await this.#enter(account)
    try {
      return await work()
    } finally {
      this.#placed.delete(account)
      this.#admit()
    }
  }

  #enter(account: string): Promise<void> {
    const own = this.#waiting.get(account) ?? []
    const { importsOfOne, importsWaiting } = this.#bounds
    if (own.length + (this.#placed.has(account) ? 1 : 0) >= importsOfOne.max)
      throw errors.tooManyFiles(importsOfOne.max)
    const waiting = [...this.#waiting.values()].reduce((sum, { length }) => sum + length, 0)
    if (waiting >= importsWaiting.max) throw errors.busy()
    return new Promise((enter) => {
      this.#waiting.set(account, [...own, enter])
      this.#admit()
    })
  }

  #admit(): void {
    for (const [account, [enter, ...others]] of this.#waiting) {
      if (this.#placed.size >= this.#bounds.importThreads.max) return
      if (this.#placed.has(account)) continue
      this.#waiting.delete(account)
      // Behind all who wait already.
      if (others.length > 0) this.#waiting.set(account, others)
      this.#placed.add(account)
      enter?.()
    }
  }
}
