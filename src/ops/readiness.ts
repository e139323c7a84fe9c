import type { Check, Checked } from './check.js'
import type { ProbePorts } from './probes.js'
import { type Entered, type RoundLimits, Rounds } from './rounds.js'

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

/** Says whether a hub can serve. Questions share answers, as `Rounds` says. */
export class Readiness {
  readonly #rounds: Rounds<ProbePorts>
  #isStopping = false

  constructor(probes: readonly Check<ProbePorts>[], enter: () => Entered<ProbePorts>, limits?: RoundLimits) {
    this.#rounds = new Rounds(probes, enter, limits)
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
    return this.#rounds.ask()
  }
}

const STOPPING: Ready = { isReady: false, checks: { hub: { status: 'error', error: 'The hub is stopping.' } } }

function probedOf({ state, findings }: Checked): Probed {
  const text = findings.find((one) => one.state === state)?.text
  if (state === 'ok' || text === undefined) return { status: 'ok' }
  return state === 'warning' ? { status: 'ok', warning: text } : { status: 'error', error: text }
}
