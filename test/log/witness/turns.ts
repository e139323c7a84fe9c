/** Numbers that look random and are the same for the same seed. */
export function randomFrom(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** The order in which things happen that may happen in any order, and the time at which they do. */
export class Turns {
  readonly #random: () => number
  readonly #ready: (() => void)[] = []
  #timers: { readonly at: number; readonly run: () => void }[] = []
  /** How often something takes seconds. */
  readonly #slowness: number
  /** The true time in milliseconds, which nobody knows. */
  now = 0
  steps = 0

  constructor(seed: number) {
    this.#random = randomFrom(seed)
    this.#slowness = this.pick([0.003, 0.02])
  }

  /** A whole number below the limit. */
  below(limit: number): number {
    return Math.floor(this.#random() * limit)
  }

  chance(probability: number): boolean {
    return this.#random() < probability
  }

  pick<T>(things: readonly T[]): T {
    const picked = things[this.below(things.length)]
    if (picked === undefined) throw new Error('There is nothing to pick from.')
    return picked
  }

  /** Lets something happen at any moment from now on, mostly soon. */
  soon(run: () => void): void {
    if (this.chance(this.#slowness)) this.at(this.now + this.below(6000), run)
    else this.#ready.push(run)
  }

  at(time: number, run: () => void): void {
    this.#timers.push({ at: time, run })
  }

  /** Something that is asked of another process: it happens or not, and who asked learns of it or not. */
  trip<T>(happen: () => T, isWanted: () => boolean, lost: () => Error): Promise<T> {
    return new Promise((resolve, reject) => {
      const tell = (run: () => void) => this.soon(() => isWanted() && run())
      if (this.chance(0.01)) {
        // Given up, whether it is still on its way or lost.
        tell(() => reject(lost()))
        if (this.chance(0.7)) this.soon(() => void happen())
        return
      }
      this.soon(() => {
        try {
          const outcome = happen()
          tell(() => resolve(outcome))
        } catch (error) {
          tell(() => reject(error))
        }
      })
    })
  }

  /** One thing happens, or time passes; and then everything that follows from it without anything from outside. */
  async step(): Promise<void> {
    this.steps++
    if (this.#ready.length === 0 || this.chance(0.4)) this.#pass()
    else {
      const index = this.below(this.#ready.length)
      const last = this.#ready.pop()
      const run = index < this.#ready.length ? this.#ready[index] : last
      if (index < this.#ready.length && last) this.#ready[index] = last
      run?.()
    }
    await new Promise((resolve) => setImmediate(resolve))
  }

  #pass(): void {
    this.now += this.chance(0.02) ? this.below(300) : this.below(4)
    const due = this.#timers.filter(({ at }) => at <= this.now)
    if (due.length === 0) return
    this.#timers = this.#timers.filter(({ at }) => at > this.now)
    for (const { run } of due) this.#ready.push(run)
  }
}
