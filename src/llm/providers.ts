import type { CatalogModel, LlmConfig } from '../config/types.js'
import { anthropicProvider } from './anthropic.js'
import { offeredModels } from './catalog.js'
import type { KeyRing } from './gateway/keyRing.js'
import { openAiProvider } from './openai.js'
import { completionWith, failureWith, type Provider, ProviderFailure } from './provider.js'
import { MOST_ASKED, type ModelProvider } from './standIns.js'
import { type Target, targetsOf } from './targets.js'
import { addUsage, NO_USAGE } from './usage.js'

/**
 * Who is asked for a model, and behind it for those that stand in for it; nobody for what has no provider. One behind which there is
 * another is asked once with each of its keys, and the last again, as often as is configured but three times in all where there are
 * several. They hold no connection of their own, and load no SDK before the first call.
 */
export function providersOf(llm: LlmConfig, model: CatalogModel, keys: KeyRing): readonly ModelProvider[] {
  const targets = targetsOf(llm, model, offeredModels(llm)).slice(0, MOST_ASKED)
  return targets.map((target, at) => {
    const retries = at < targets.length - 1 ? 0 : MOST_ASKED - targets.length
    const maxRetries = targets.length === 1 ? target.maxRetries : Math.min(target.maxRetries, retries)
    return { model: target, provider: keysInTurn({ ...target, maxRetries }, keys) }
  })
}

/** A provider that is asked with one of its keys. */
export function providerWith(target: Target, key: string): Provider {
  return target.wire === 'anthropic' ? anthropicProvider(target, key) : openAiProvider(target, key)
}

/** Asks with one key, and where that is refused or has too much to do with the next, each at most once. */
function keysInTurn(target: Target, keys: KeyRing): Provider {
  const complete: Provider['complete'] = async (request, signal, tell) => {
    let used = NO_USAGE
    for (let left = target.keys.length; ; left--) {
      const key = keys.next(target.keys)
      try {
        return completionWith(await providerWith(target, key).complete(request, signal, tell), used)
      } catch (error) {
        const failure = error instanceof ProviderFailure ? error : null
        const isOfKey = failure?.unanswered && keys.failed(key, failure.unanswered.status, null)
        if (!isOfKey || left <= 1) throw failureWith(error, used)
        used = addUsage(used, failure.usage)
      }
    }
  }
  return { complete }
}
