import type { CatalogModel } from '../config/types.js'
import { type Completion, completionWith, failureWith, type Provider, ProviderFailure } from './provider.js'
import { addUsage, NO_USAGE } from './usage.js'

/** So often somebody is asked for one answer at most, whoever it is. */
export const MOST_ASKED = 3

/** A model by its id in the catalog, and whose it is. */
export type NamedModel = Pick<CatalogModel, 'id' | 'provider'>

/** A model, with who is asked for it. */
export interface ModelProvider {
  readonly model: NamedModel
  readonly provider: Provider
}

/** Who is asked for the answers of one step: a model, or what stands in for it. */
export class StandIns implements Provider {
  readonly #left: ModelProvider[]
  #now: ModelProvider
  #hasAnswered = false
  #attempts = 1

  constructor([first, ...others]: readonly [ModelProvider, ...ModelProvider[]]) {
    this.#now = first
    this.#left = others
  }

  /** The model that is asked, which in the end is the one that has answered. */
  get model(): NamedModel {
    return this.#now.model
  }

  /** How many models were asked until one has answered. */
  get attempts(): number {
    return this.#attempts
  }

  /**
   * Asks the model, and where its provider has too much to do, fails or does not begin to answer, the next that stands in for it. Whoever
   * has answered once is the one who is asked on. What is used then is with what those may bill who stayed silent.
   */
  async complete(...[request, signal, tell]: Parameters<Provider['complete']>): Promise<Completion> {
    let unanswered = NO_USAGE
    for (;;) {
      try {
        const completion = await this.#now.provider.complete(request, signal, tell)
        this.#hasAnswered = true
        return completionWith(completion, unanswered)
      } catch (error) {
        const next =
          !this.#hasAnswered && mayBeAskedElsewhere(error) && !signal.aborted ? this.#left.shift() : undefined
        if (!next) throw failureWith(error, unanswered)
        if (error instanceof ProviderFailure) unanswered = addUsage(unanswered, error.usage)
        this.#now = next
        this.#attempts++
      }
    }
  }
}

/**
 * True where somebody else, or later on the same, may do better than who has refused with this status, or given none: what is refused
 * for what it asks is refused everywhere.
 */
export function othersMayAnswer(status: number | null): boolean {
  return status === null || status === 429 || status >= 500
}

/** True where nothing of an answer has come, and others may do better. */
function mayBeAskedElsewhere(error: unknown): boolean {
  const unanswered = error instanceof ProviderFailure ? error.unanswered : null
  return unanswered !== null && othersMayAnswer(unanswered.status)
}
