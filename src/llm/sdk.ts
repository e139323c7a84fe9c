import type { LlmProviderConfig } from '../config/types.js'
import { boundedFetch } from './transport.js'

/** The options that both SDKs share. */
export function clientOptions(baseURL: string, { apiKey, timeoutSeconds, maxRetries }: LlmProviderConfig) {
  const timeout = timeoutSeconds * 1000
  return {
    apiKey,
    baseURL,
    timeout,
    maxRetries,
    fetch: boundedFetch({ timeout_ms: timeout }),
    // They write to the console what a provider sent, where it is not what they expect.
    logLevel: 'off' as const
  }
}

/** Runs the work when it is first asked for, and again after it failed. */
export function once<T>(work: () => Promise<T>): () => Promise<T> {
  let begun: Promise<T> | undefined
  return () => {
    begun ??= work().catch((error: unknown) => {
      begun = undefined
      throw error
    })
    return begun
  }
}
