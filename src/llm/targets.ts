import type { CatalogModel, LlmConfig, LlmEndpointConfig, LlmProviderConfig, LlmProviderName } from '../config/types.js'

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
  /** Of Anthropic's interface without the version, which is in the paths. */
  readonly baseUrl: string
  /** Empty for one that asks for none. */
  readonly keys: readonly string[]
  readonly timeoutSeconds: number
  readonly maxRetries: number
  /** What it calls the most tokens that a model may write, where that is not what OpenAI calls it now. */
  readonly outputField?: LlmEndpointConfig['outputField']
}

/** A provider, whichever of its models is asked. */
export type Place = Omit<Target, 'id' | 'model'>

/** The providers that the configuration has a place for: what people know them as, and where they are. */
const BUILT_IN: Readonly<Record<LlmProviderName, Pick<Place, 'label' | 'wire' | 'baseUrl'>>> = {
  openai: { label: 'OpenAI', wire: 'openai', baseUrl: 'https://api.openai.com/v1' },
  claude: { label: 'Anthropic', wire: 'anthropic', baseUrl: 'https://api.anthropic.com' },
  gemini: { label: 'Gemini', wire: 'openai', baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai' }
}

/** True for one of those; others are endpoints of the configuration. */
export function isBuiltIn(provider: string): provider is LlmProviderName {
  return Object.hasOwn(BUILT_IN, provider)
}

/**
 * The provider of a model as desktops know it: they read no list of models that names any but those three. Of an endpoint it is the
 * one whose interface that speaks.
 */
export function knownProvider({ provider, wire }: Pick<Place, 'provider' | 'wire'>): LlmProviderName {
  if (isBuiltIn(provider)) return provider
  return wire === 'anthropic' ? 'claude' : 'openai'
}

/** Where a model is asked, and behind it where the models are that the catalog has stand in for it. */
export function targetsOf(llm: LlmConfig, model: CatalogModel, offered: readonly CatalogModel[]): readonly Target[] {
  const standIns = (model.fallbacks ?? []).flatMap((id) => offered.find((one) => one.id === id) ?? [])
  return [model, ...standIns].flatMap((one) => {
    const place = placeOf(llm, one.provider)
    return place ? [{ id: one.id, model: one.model ?? one.id, ...place }] : []
  })
}

function placeOf({ providers, endpoints }: LlmConfig, provider: string): Place | null {
  if (isBuiltIn(provider)) {
    const config = providers[provider]
    return config ? builtIn(provider, config) : null
  }
  const endpoint = endpoints.find(({ id }) => id === provider)
  if (!endpoint) return null
  const { name: label, interface: wire, baseUrl, apiKeys: keys, timeoutSeconds, maxRetries, outputField } = endpoint
  return { provider, label, wire, baseUrl: addressOf(wire, baseUrl), keys, timeoutSeconds, maxRetries, outputField }
}

/** Where a provider is that the configuration has a place for. */
export function builtIn(
  provider: LlmProviderName,
  { apiKey, baseUrl, timeoutSeconds, maxRetries }: LlmProviderConfig
): Place {
  const usual = BUILT_IN[provider]
  const address = addressOf(usual.wire, baseUrl ?? usual.baseUrl)
  return { provider, ...usual, baseUrl: address, keys: [apiKey], timeoutSeconds, maxRetries }
}

/** An address of Anthropic's interface is often given with the version. */
function addressOf(wire: Wire, baseUrl: string): string {
  return wire === 'anthropic' ? baseUrl.replace(/\/v1$/, '') : baseUrl
}

const ANTHROPIC_VERSION = '2023-06-01'

/** The headers by which a provider knows who asks: none without a key. */
export function accountOf(wire: Wire, key: string): Readonly<Record<string, string>> {
  if (wire === 'anthropic') return { 'anthropic-version': ANTHROPIC_VERSION, ...(key !== '' && { 'x-api-key': key }) }
  return key === '' ? {} : { authorization: `Bearer ${key}` }
}
