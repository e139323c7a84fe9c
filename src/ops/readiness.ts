import { type Check, type Checked, checkedWithin, type Finding } from './check.js'
import type { ProbePorts } from './probes.js'

/** Where one round of questions goes; what it was given stays open until `leave` is called. */
export interface Entered<Ports> {
  readonly ports: Ports
  readonly leave: () => void
}

export interface CheckLimits {
  /** How long one check may take. */
  readonly answer_ms: number
  /** How long an answer counts. */
  readonly kept_ms: number
}

const LIMITS: CheckLimits = { answer_ms: 1500, kept_ms: 1000 }

/**
 * Asks checks of a hub. Whoever asks at the same time, or within a second, shares one answer, which takes two seconds at most; a
 * check that is still unanswered is not asked again.
 */
export class SharedChecks<Ports> {
  readonly #checks: readonly Check<Ports>[]
  readonly #enter: () => Entered<Ports>
  readonly #limits: CheckLimits
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

/** How one check stands, for whoever asks without a token: no secret, and nothing that a server said. */
export interface Probed {
  readonly status: 'ok' | 'error'
  readonly error?: string
  readonly warning?: string
}

export interface Ready {
  readonly isReady: boolean
  readonly checks: Readonly<Record<string, Probed>>
}

/** Says whether a hub can serve. Questions share answers, as `SharedChecks` says. */
export class Readiness {
  readonly #shared: SharedChecks<ProbePorts>
  #isStopping = false

  constructor(probes: readonly Check<ProbePorts>[], enter: () => Entered<ProbePorts>, limits?: CheckLimits) {
    this.#shared = new SharedChecks(probes, enter, limits)
  }

  /** From now on the hub is not ready, whatever the checks say: it is about to take no more requests. */
  stop(): void {
    this.#isStopping = true
  }

  /** How the hub stands. Never rejects. */
  async ask(): Promise<Ready> {
    if (this.#isStopping) return STOPPING
    const checked = await this.checked()
    if (this.#isStopping) return STOPPING
    const checks = Object.fromEntries(checked.map((one) => [one.name, probedOf(one)]))
    return { isReady: Object.values(checks).every(({ status }) => status === 'ok'), checks }
  }

  /** What was found for it. Never rejects. */
  checked(): Promise<readonly Checked[]> {
    return this.#shared.ask()
  }
}

const STOPPING: Ready = { isReady: false, checks: { hub: { status: 'error', error: 'The hub is stopping.' } } }

function probedOf({ state, findings }: Checked): Probed {
  const text = findings.find((one) => one.state === state)?.text
  if (state === 'ok' || text === undefined) return { status: 'ok' }
  return state === 'warning' ? { status: 'ok', warning: text } : { status: 'error', error: text }
}
