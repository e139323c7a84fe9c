import type { CatalogModel, LlmConfig, LlmEndpointConfig } from '../config/types.js'
import { isBuiltIn, LABELS } from './providerNames.js'
import { withStandIns } from './standIns.js'
import { BASE_URLS } from './transport.js'

/** The two interfaces that providers speak: OpenAI's, which many others speak too, and Anthropic's. */
export type Wire = 'openai' | 'anthropic'

/** Where a model is asked. */
export interface Target {
  /** The id of the model in the catalog, and what the provider calls it. */
  readonly id: string
  readonly model: string
  readonly provider: string
  /** What people know the provider as. */
  readonly label: string
  readonly wire: Wire
  readonly baseUrl: string
  /** Empty for one that asks for none. */
  readonly keys: readonly string[]
  readonly timeoutSeconds: number
  readonly maxRetries: number
  /** What it calls the most tokens that a model may write, where that is not what OpenAI calls it now. */
  readonly outputField?: LlmEndpointConfig['outputField']
}

/** Where a model is asked, and behind it where the models are that the catalog has stand in for it. */
export function targetsOf(llm: LlmConfig, model: CatalogModel, offered: readonly CatalogModel[]): readonly Target[] {
  return withStandIns(model, offered).flatMap((one) => targetOf(llm, one) ?? [])
}

function targetOf({ providers, endpoints }: LlmConfig, model: CatalogModel): Target | null {
  const { id, provider } = model
  const named = { id, model: model.model ?? id, provider }
  if (!isBuiltIn(provider)) {
    const endpoint = endpoints.find((one) => one.id === provider)
    return endpoint ? { ...named, ...reached(endpoint) } : null
  }
  const config = providers[provider]
  if (!config) return null
  const { apiKey, baseUrl = BASE_URLS[provider], timeoutSeconds, maxRetries } = config
  const wire = provider === 'claude' ? 'anthropic' : 'openai'
  return { ...named, label: LABELS[provider], wire, baseUrl, keys: [apiKey], timeoutSeconds, maxRetries }
}

/** How an endpoint of the configuration is reached. */
export function reached(endpoint: LlmEndpointConfig) {
  const { name, interface: wire, baseUrl, apiKeys, timeoutSeconds, maxRetries, outputField } = endpoint
  return { label: name, wire, baseUrl, keys: apiKeys, timeoutSeconds, maxRetries, outputField } as const
}
