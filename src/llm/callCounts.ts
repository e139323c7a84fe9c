import type { CatalogModel, ModelPrice } from '../config/types.js'
import { Durations } from '../counts.js'
import type { ChatRequest } from './messages.js'
import { CallAborted, type Provider, ProviderFailure } from './provider.js'
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

  /** The same provider, whose calls are counted under these models, and cost what is said here. */
  counting(provider: Provider, models: readonly CatalogModel[], prices: ReadonlyMap<string, ModelPrice>): Provider {
    return {
      complete: async (request, signal, tell) => {
        const end = this.#begin(request, models, prices)
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

  #begin({ model: id }: ChatRequest, models: readonly CatalogModel[], prices: ReadonlyMap<string, ModelPrice>): End {
    const begun = performance.now()
    const model = models.find((one) => one.id === id)
    const price = prices.get(id)
    return (outcome, usage) => {
      // What is on no list would make a series of its own for every word that somebody sends.
      if (!model) return
      const calls = this.#callsOf(model)
      calls.outcomes[outcome]++
      calls.durations.add((performance.now() - begun) / 1000)
      calls.prompt_tokens += usage.promptTokens
      calls.completion_tokens += usage.completionTokens
      if (price) calls.spend_usd = (calls.spend_usd ?? 0) + costOf(usage, price)
    }
  }

  #callsOf({ provider, id: model }: CatalogModel): ModelCalls {
    const key = `${provider} ${model}`
    const known = this.#models.get(key)
    if (known) return known
    const outcomes = { completed: 0, failed: 0, cancelled: 0 }
    const durations = new Durations()
    const calls = { provider, model, durations, outcomes, prompt_tokens: 0, completion_tokens: 0, spend_usd: null }
    this.#models.set(key, calls)
    return calls
  }
}

type End = (outcome: CallOutcome, usage: Usage) => void

function costOf({ promptTokens, completionTokens }: Usage, { input, output }: ModelPrice): number {
  return (promptTokens * input + completionTokens * output) / MILLION
}
