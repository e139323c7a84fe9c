import { type Check, type Checked, checkedWithin, type Finding } from './check.js'
import type { ProbePorts } from './probes.js'

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

/** Where one round of questions goes; what it was given stays open until `leave` is called. */
export interface Entered {
  readonly ports: ProbePorts
  readonly leave: () => void
}

export interface ReadinessLimits {
  /** How long one check may take. */
  readonly answer_ms: number
  /** How long an answer counts. */
  readonly kept_ms: number
}

const LIMITS: ReadinessLimits = { answer_ms: 1500, kept_ms: 1000 }

/**
 * Says whether a hub can serve. Whoever asks at the same time, or within a second, shares one answer, which takes two seconds at
 * most; a check that is still unanswered is not asked again.
 */
export class Readiness {
  readonly #probes: readonly Check<ProbePorts>[]
  readonly #enter: () => Entered
  readonly #limits: ReadinessLimits
  readonly #running = new Map<string, Promise<readonly Finding[]>>()
  #asking: Promise<Ready> | null = null
  #known: { readonly ready: Ready; readonly at_ms: number } | null = null
  #isStopping = false

  constructor(probes: readonly Check<ProbePorts>[], enter: () => Entered, limits = LIMITS) {
    this.#probes = probes
    this.#enter = enter
    this.#limits = limits
  }

  /** From now on the hub is not ready, whatever the checks say: it is about to take no more requests. */
  stop(): void {
    this.#isStopping = true
  }

  /** How the hub stands. Never rejects. */
  async ask(): Promise<Ready> {
    if (this.#isStopping) return STOPPING
    const known = this.#known
    if (known && performance.now() - known.at_ms < this.#limits.kept_ms) return known.ready
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = null
    })
    const ready = await this.#asking
    return this.#isStopping ? STOPPING : ready
  }

  async #ask(): Promise<Ready> {
    const checked = await Promise.all(
      this.#probes.map((probe) => checkedWithin(probe, this.#run(probe), this.#limits.answer_ms))
    )
    const checks = Object.fromEntries(checked.map((one) => [one.name, probedOf(one)]))
    const ready = { isReady: Object.values(checks).every(({ status }) => status === 'ok'), checks }
    this.#known = { ready, at_ms: performance.now() }
    return ready
  }

  #run(probe: Check<ProbePorts>): Promise<readonly Finding[]> {
    const running = this.#running.get(probe.name) ?? this.#begin(probe)
    this.#running.set(probe.name, running)
    return running
  }

  async #begin(probe: Check<ProbePorts>): Promise<readonly Finding[]> {
    const { ports, leave } = this.#enter()
    try {
      return await probe.run(ports)
    } finally {
      leave()
      this.#running.delete(probe.name)
    }
  }
}

const STOPPING: Ready = { isReady: false, checks: { hub: { status: 'error', error: 'The hub is stopping.' } } }

function probedOf({ state, findings }: Checked): Probed {
  const text = findings.find((one) => one.state === state)?.text
  if (state === 'ok' || text === undefined) return { status: 'ok' }
  return state === 'warning' ? { status: 'ok', warning: text } : { status: 'error', error: text }
}
