import type { LlmConfig, LlmProviderName } from '../config/types.js'
import { anthropicProvider } from './anthropic.js'
import { openAiProvider } from './openai.js'
import type { Embedder, Provider } from './provider.js'

/** The providers that a configuration has a key for. They hold no connection of their own: nothing has to be closed. */
export interface Providers {
  get(name: LlmProviderName): Provider | null
  /** What documentation search needs; null without a key of OpenAI. */
  readonly embedder: Embedder | null
}

/** Makes the providers of a configuration. No SDK is loaded before the first call. */
export function createProviders({ providers: { openai, claude, gemini } }: Pick<LlmConfig, 'providers'>): Providers {
  const openAi = openai ? openAiProvider('openai', openai) : null
  const all: Readonly<Record<LlmProviderName, Provider | null>> = {
    openai: openAi,
    claude: claude ? anthropicProvider(claude) : null,
    gemini: gemini ? openAiProvider('gemini', gemini) : null
  }
  return { get: (name) => all[name], embedder: openAi }
}
