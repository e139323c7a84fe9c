import { type Check, type Checked, checkedWithin, type Finding } from './check.js'

/** Where one round of questions goes; what it was given stays open until `leave` is called. */
export interface Entered<Ports> {
  readonly ports: Ports
  readonly leave: () => void
}

export interface RoundLimits {
  /** How long one check may take. */
  readonly answer_ms: number
  /** How long an answer counts. */
  readonly kept_ms: number
}

const LIMITS: RoundLimits = { answer_ms: 1500, kept_ms: 1000 }

/**
 * Asks checks of a hub. Whoever asks at the same time, or within a second, shares one answer, which takes two seconds at most; a
 * check that is still unanswered is not asked again.
 */
export class Rounds<Ports> {
  readonly #checks: readonly Check<Ports>[]
  readonly #enter: () => Entered<Ports>
  readonly #limits: RoundLimits
  readonly #running = new Map<string, Promise<readonly Finding[]>>()
  #asking: Promise<readonly Checked[]> | null = null
  #known: { readonly checked: readonly Checked[]; readonly at_ms: number } | null = null

  constructor(checks: readonly Check<Ports>[], enter: () => Entered<Ports>, limits = LIMITS) {
    this.#checks = checks
    this.#enter = enter
    this.#limits = limits
  }

  /** What the checks find, in their order. Never rejects. */
  async ask(): Promise<readonly Checked[]> {
    const known = this.#known
    if (known && performance.now() - known.at_ms < this.#limits.kept_ms) return known.checked
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = null
    })
    return this.#asking
  }

  async #ask(): Promise<readonly Checked[]> {
    const checked = await Promise.all(
      this.#checks.map((check) => checkedWithin(check, this.#run(check), this.#limits.answer_ms))
    )
    this.#known = { checked, at_ms: performance.now() }
    return checked
  }

  #run(check: Check<Ports>): Promise<readonly Finding[]> {
    const running = this.#running.get(check.name) ?? this.#begin(check)
    this.#running.set(check.name, running)
    return running
  }

  async #begin(check: Check<Ports>): Promise<readonly Finding[]> {
    const { ports, leave } = this.#enter()
    try {
      return await check.run(ports)
    } finally {
      leave()
      this.#running.delete(check.name)
    }
  }
}
