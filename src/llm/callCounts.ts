import type { ModelPrice } from '../config/types.js'
import { Durations } from '../lib/histogram.js'
import { CallAborted, type Provider, ProviderFailure } from './provider.js'
import type { NamedModel } from './standIns.js'
import { NO_USAGE, type Usage } from './usage.js'

/** How calls of providers ended. */
export type CallOutcome = 'completed' | 'failed' | 'cancelled'

/** The calls of one model since the process began, embeddings not among them. */
export interface ModelCalls {
  readonly provider: string
  readonly model: string
  readonly durations: Durations
  readonly outcomes: Record<CallOutcome, number>
  prompt_tokens: number
  completion_tokens: number
  /** What they cost in US dollars, by the prices of the catalog; null where it has none. */
  spend_usd: number | null
}

const MILLION = 1_000_000

/** Counts the calls of models: how many, how they ended, how long they took, what they used and cost. */
export class CallCounts {
  readonly #models = new Map<string, ModelCalls>()

  get all(): Iterable<ModelCalls> {
    return this.#models.values()
  }

  /** Begins to count a call of a model, which costs what is said here; to be told once how it ended. */
  begin(model: NamedModel, price: ModelPrice | undefined): (outcome: CallOutcome, usage: Usage) => void {
    const begun = performance.now()
    return (outcome, { promptTokens, completionTokens }) => {
      const calls = this.#callsOf(model)
      calls.outcomes[outcome]++
      calls.durations.add((performance.now() - begun) / 1000)
      calls.prompt_tokens += promptTokens
      calls.completion_tokens += completionTokens
      if (!price) return
      const cost = (promptTokens * price.input + completionTokens * price.output) / MILLION
      calls.spend_usd = (calls.spend_usd ?? 0) + cost
    }
  }

  /** The same provider, whose calls are counted as those of a model, and cost what is said here. */
  counting(provider: Provider, model: NamedModel, price: ModelPrice | undefined): Provider {
    return {
      complete: async (request, signal, tell) => {
        const end = this.begin(model, price)
        try {
          const completion = await provider.complete(request, signal, tell)
          end('completed', completion.usage)
          return completion
        } catch (error) {
          if (error instanceof CallAborted) end('cancelled', error.usage)
          else end('failed', error instanceof ProviderFailure ? error.usage : NO_USAGE)
          throw error
        }
      }
    }
  }

  #callsOf({ provider, id: model }: NamedModel): ModelCalls {
    const key = `${provider} ${model}`
    const known = this.#models.get(key)
    if (known) return known
    const outcomes = { completed: 0, failed: 0, cancelled: 0 }
    const counts = { prompt_tokens: 0, completion_tokens: 0, spend_usd: null }
    const calls = { provider, model, durations: new Durations(), outcomes, ...counts }
    this.#models.set(key, calls)
    return calls
  }
}
