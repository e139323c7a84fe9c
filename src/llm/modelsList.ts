import type { LlmProviderConfig, LlmProviderName } from '../config/types.js'
import { BASE_URL } from './anthropic.js'
import { BASE_URLS } from './openai.js'
import { boundedFetch } from './transport.js'

/**
 * Asks a provider for the list of its models, which costs nothing, and returns the status of its answer. Rejects where there is no
 * answer in time.
 */
export async function statusOfModelsList(
  name: LlmProviderName,
  { apiKey, baseUrl }: Pick<LlmProviderConfig, 'apiKey' | 'baseUrl'>,
  limit_ms: number
): Promise<number> {
  const fetch = boundedFetch({ timeout_ms: limit_ms })
  const [url, headers] =
    name === 'claude'
      ? [
          `${(baseUrl ?? BASE_URL).replace(/\/v1$/, '')}/v1/models`,
          { 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' }
        ]
      : [`${baseUrl ?? BASE_URLS[name]}/models`, { authorization: `Bearer ${apiKey}` }]
  const response = await fetch(url, { headers: { accept: 'application/json', ...headers } })
  await response.body?.cancel()
  return response.status
}
