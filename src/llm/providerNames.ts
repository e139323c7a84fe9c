import type { LlmProviderName } from '../config/types.js'

/** What people know the providers as that the configuration has a place for. */
export const LABELS: Readonly<Record<LlmProviderName, string>> = {
  openai: 'OpenAI',
  claude: 'Anthropic',
  gemini: 'Gemini'
}

/** True for one of those; others are endpoints of the configuration. */
export function isBuiltIn(provider: string): provider is LlmProviderName {
  return Object.hasOwn(LABELS, provider)
}
