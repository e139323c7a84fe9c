import type { LlmProviderConfig } from '../config/types.js'
import { completionOfMessage } from './anthropicReply.js'
import { anthropicBody, anthropicStreamBody } from './anthropicRequest.js'
import { MessageInPieces } from './anthropicStream.js'
import type { Provider } from './provider.js'
import { clientOptions, once } from './sdk.js'
import { sdkProvider } from './sdkProvider.js'

const BASE_URL = 'https://api.anthropic.com'

const messagesApi = {
  path: '/v1/messages',
  body: anthropicBody,
  streamBody: anthropicStreamBody,
  read: completionOfMessage,
  pieces: () => new MessageInPieces()
}

/** Anthropic, by its Messages API and its own SDK. */
export function anthropicProvider(config: LlmProviderConfig): Provider {
  const sdk = once(async () => {
    const { Anthropic } = await import('@anthropic-ai/sdk')
    // The path has the version; the address is often given with it as well.
    const baseUrl = (config.baseUrl ?? BASE_URL).replace(/\/v1$/, '')
    // Named, or the SDK takes what is missing from the environment.
    const client = new Anthropic({ webhookKey: null, openTelemetry: false, ...clientOptions(baseUrl, config) })
    return { client, errors: Anthropic }
  })
  return sdkProvider((model) => ({ provider: 'claude', apiKey: config.apiKey, model }), sdk, messagesApi)
}
