import type { CatalogModel, HubConfig, LlmConfig, ModelPrice } from '../config/types.js'
import { isBuiltIn } from './targets.js'

/** The day on which the built-in catalog was compared with what the vendors offer and ask for it. */
export const CATALOG_DATE = '2026-11-22'

/**
 * The models on offer where the configuration brings no catalog of its own: two of each provider, and those of earlier catalogs that
 * their vendor still serves, until it ends them. Lists keep this order. Prices are those of short prompts without caching, so what
 * long ones cost is told too low.
 */
export const DEFAULT_CATALOG: readonly CatalogModel[] = [
  { id: 'gpt-6.1-sol', label: 'GPT-6.1 Sol', provider: 'openai', price: dollars(2, 10) },
  { id: 'gpt-6-luna', label: 'GPT-6 Luna', provider: 'openai', price: dollars(0.1, 0.5) },
  { id: 'claude-sonnet-5-5', label: 'Claude Sonnet 5.5', provider: 'claude', price: dollars(2, 10) },
  { id: 'claude-haiku-5-5', label: 'Claude Haiku 5.5', provider: 'claude', price: dollars(0.1, 0.5) },
  { id: 'gemini-3.8-flash', label: 'Gemini 3.8 Flash', provider: 'gemini', price: dollars(0.75, 3.75) },
  { id: 'gemini-3.1-flash-lite', label: 'Gemini 3.1 Flash-Lite', provider: 'gemini', price: dollars(0.25, 1.5) },
  { ...ending('gpt-4o', 'GPT-4o', '2027-01-14'), provider: 'openai', price: dollars(2.5, 10) },
  { ...ending('gpt-4o-mini', 'GPT-4o Mini', '2027-01-14'), provider: 'openai', price: dollars(0.15, 0.6) }
]

/** What a million tokens cost. */
function dollars(input: number, output: number): ModelPrice {
  return { input, output }
}

/** A model that its vendor ends after a day, which people are told of. */
function ending(id: string, name: string, until: string): Pick<CatalogModel, 'id' | 'label' | 'until'> {
  return { id, label: `${name} (until ${until})`, until }
}

/**
 * The models that the hub offers at a time, now unless told otherwise, in catalog order: those whose provider has a key, whose
 * vendor has not ended them, and that `llm.models` names, where it names any. Ids in `llm.models` that the catalog does not know
 * are ignored; `modelWarnings` tells of them.
 */
export function offeredModels(
  { catalog = DEFAULT_CATALOG, models, ...given }: Offer,
  at_ms = Date.now()
): readonly CatalogModel[] {
  const allowed = models && new Set(models)
  return catalog
    .filter((model) => allowed?.has(model.id) ?? true)
    .filter((model) => whyNotOffered(model, given, at_ms) === null)
    .map(({ id, label, provider, model, fallbacks }) => ({
      id,
      label,
      provider,
      ...(model !== undefined && { model }),
      ...(fallbacks && { fallbacks })
    }))
}

/** What of a configuration says which models are on offer. */
export type Offer = Pick<LlmConfig, 'catalog' | 'models' | 'providers'> & {
  readonly endpoints?: LlmConfig['endpoints']
}

function whyNotOffered(
  { provider, until }: CatalogModel,
  { providers, endpoints = [] }: Pick<Offer, 'providers' | 'endpoints'>,
  at_ms: number
): string | null {
  const isThere = isBuiltIn(provider) ? providers[provider] !== undefined : endpoints.some(({ id }) => id === provider)
  if (!isThere) return `${provider} has no key`
  const today = new Date(at_ms).toISOString().slice(0, 10)
  return until !== undefined && today > until ? `its vendor has ended it on ${until}` : null
}

/** What of the models that a configuration names is not on offer or ends, a sentence each, and whether none is left. */
export function modelWarnings({ llm }: Pick<HubConfig, 'llm'>, at_ms = Date.now()): readonly string[] {
  if (!llm) return []
  const models: readonly CatalogModel[] = llm.catalog ?? DEFAULT_CATALOG
  const known = new Map(models.map((model) => [model.id, model]))
  const warnings = [...new Set(llm.models)].flatMap((id) => {
    const model = known.get(id)
    const why = model ? whyNotOffered(model, llm, at_ms) : 'the catalog does not have it'
    if (why !== null) return [`llm.models names ${id}, which is not offered: ${why}.`]
    return model?.until === undefined ? [] : [`llm.models names ${id}, which its vendor ends on ${model.until}.`]
  })
  if (offeredModels(llm, at_ms).length > 0) return warnings
  return [...warnings, 'No model is on offer: name others in llm.models, or leave it out for all of the catalog.']
}

/** The ids of the models on offer; null where no LLM is configured. */
export function offeredIds({ llm }: Pick<HubConfig, 'llm'>): ReadonlySet<string> | null {
  return llm ? new Set(offeredModels(llm).map(({ id }) => id)) : null
}

/** What models cost by the catalog in force; of models that it does not name, what the built-in one says. */
export function pricesOf({ llm }: Pick<HubConfig, 'llm'>): ReadonlyMap<string, ModelPrice> {
  const known = [...DEFAULT_CATALOG, ...(llm?.catalog ?? [])]
  return new Map(known.flatMap(({ id, price }) => (price ? [[id, price] as const] : [])))
}
