import type { CatalogModel, HubConfig, LlmConfig } from '../config/types.js'

/** The models on offer where the configuration brings no catalog of its own. Lists keep this order. */
export const DEFAULT_CATALOG: readonly CatalogModel[] = [
  { id: 'gpt-4o', label: 'GPT-4o', provider: 'openai' },
  { id: 'gpt-4o-mini', label: 'GPT-4o Mini', provider: 'openai' },
  { id: 'claude-3-5-sonnet-20241022', label: 'Claude 3.5 Sonnet', provider: 'claude' },
  { id: 'claude-3-5-haiku-20241022', label: 'Claude 3.5 Haiku', provider: 'claude' },
  { id: 'gemini-1.5-pro', label: 'Gemini 1.5 Pro', provider: 'gemini' },
  { id: 'gemini-1.5-flash', label: 'Gemini 1.5 Flash', provider: 'gemini' }
]

/**
 * The models that the hub offers, in catalog order: those whose provider has a key and that `llm.models` names, where it
 * names any. Ids in `llm.models` that the catalog does not know are ignored.
 */
export function offeredModels({
  catalog = DEFAULT_CATALOG,
  models,
  providers
}: Pick<LlmConfig, 'catalog' | 'models' | 'providers'>): readonly CatalogModel[] {
  const allowed = models && new Set(models)
  return catalog
    .filter(({ id, provider }) => providers[provider] !== undefined && (allowed?.has(id) ?? true))
    .map(({ id, label, provider }) => ({ id, label, provider }))
}

/** The ids of the models on offer; null where no LLM is configured. */
export function offeredIds({ llm }: Pick<HubConfig, 'llm'>): ReadonlySet<string> | null {
  return llm ? new Set(offeredModels(llm).map(({ id }) => id)) : null
}
