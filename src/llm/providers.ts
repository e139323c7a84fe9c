import type { CatalogModel, LlmConfig, LlmEndpointConfig, LlmProviderConfig } from '../config/types.js'
import { anthropicProvider } from './anthropic.js'
import { offeredModels } from './catalog.js'
import type { KeyRing } from './gateway/keyRing.js'
import { openAiProvider } from './openai.js'
import { type Provider, ProviderFailure } from './provider.js'
import { isBuiltIn } from './providerNames.js'
import { MOST_ASKED, type ModelProvider, withStandIns } from './standIns.js'

/**
 * Who is asked for a model, and behind it for those that stand in for it; nobody for what has no provider. One behind which there is
 * another is asked once with each of its keys, and the last again, as often as is configured but three times in all where there are
 * several. They hold no connection of their own, and load no SDK before the first call.
 */
export function providersOf(llm: LlmConfig, model: CatalogModel, keys: KeyRing): readonly ModelProvider[] {
  const models = withStandIns(model, offeredModels(llm)).slice(0, MOST_ASKED)
  return models.flatMap((one, at) => {
    const retries = models.length === 1 ? null : at < models.length - 1 ? 0 : MOST_ASKED - models.length
    const provider = providerOf(llm, one, keys, retries)
    return provider ? [{ model: one, provider: calledAs(provider, one) }] : []
  })
}

/** Who has a model, and asks again at most so often, null for as often as is configured; null for nobody. */
function providerOf(
  { providers, endpoints }: LlmConfig,
  { provider: name }: CatalogModel,
  keys: KeyRing,
  retries: number | null
): Provider | null {
  const bounded = <C extends Pick<LlmProviderConfig, 'maxRetries'>>(config: C): C =>
    retries === null ? config : { ...config, maxRetries: Math.min(config.maxRetries, retries) }
  if (!isBuiltIn(name)) {
    const endpoint = endpoints.find(({ id }) => id === name)
    return endpoint ? endpointProvider(bounded(endpoint), keys) : null
  }
  const config = providers[name]
  if (!config) return null
  return name === 'claude' ? anthropicProvider(bounded(config)) : openAiProvider(name, bounded(config))
}

/** An endpoint of the configuration as chats ask it: with its keys in turn. */
function endpointProvider(endpoint: LlmEndpointConfig, keys: KeyRing): Provider {
  const { id, name, interface: wire, baseUrl, apiKeys, timeoutSeconds, maxRetries, outputField } = endpoint
  const named = { provider: id, label: name }
  const withKey = (apiKey: string) => {
    const config = { apiKey, baseUrl, timeoutSeconds, maxRetries }
    return wire === 'anthropic' ? anthropicProvider(config, named) : openAiProvider(named, config, outputField)
  }
  // The SDKs want a key, also of who asks for none.
  const [first = 'none', ...others] = apiKeys
  if (others.length === 0) return withKey(first)
  return keysInTurn(new Map(apiKeys.map((key) => [key, withKey(key)])), keys)
}

/** Asks with one key, and where that is refused or has too much to do with the next, each at most once. */
function keysInTurn(byKey: ReadonlyMap<string, Provider>, keys: KeyRing): Provider {
  const all = [...byKey.keys()]
  const complete: Provider['complete'] = async (request, signal, tell) => {
    for (let left = all.length; ; left--) {
      const key = keys.next(all)
      const provider = byKey.get(key)
      if (!provider) throw new Error('A key belongs to no provider.')
      try {
        return await provider.complete(request, signal, tell)
      } catch (error) {
        const status = error instanceof ProviderFailure ? error.unanswered?.status : undefined
        if (status === 401 || status === 403) keys.refused(key)
        else if (status === 429) keys.busy(key, null)
        else throw error
        if (left === 1) throw error
      }
    }
  }
  return { complete }
}

/** The same provider, asked for a model by what it calls it. */
function calledAs(provider: Provider, { model }: CatalogModel): Provider {
  if (model === undefined) return provider
  return { complete: (request, signal, tell) => provider.complete({ ...request, model }, signal, tell) }
}
