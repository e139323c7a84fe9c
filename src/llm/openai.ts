import { z } from 'zod'
import type { LlmProviderConfig } from '../config/types.js'
import { Call, type Upstream } from './call.js'
import { UnreadableAnswer } from './failure.js'
import { completionOf } from './openaiReply.js'
import { openAiBody, openAiStreamBody } from './openaiRequest.js'
import { CompletionInPieces } from './openaiStream.js'
import type { Embedder, Provider } from './provider.js'
import { clientOptions, once } from './sdk.js'
import { post, sdkProvider } from './sdkProvider.js'

const BASE_URLS = {
  openai: 'https://api.openai.com/v1',
  gemini: 'https://generativelanguage.googleapis.com/v1beta/openai'
}
const EMBEDDING_MODEL = 'text-embedding-3-small'
const EMBEDDING_SIZE = 1536

const chatCompletions = {
  path: '/chat/completions',
  body: openAiBody,
  streamBody: openAiStreamBody,
  read: completionOf,
  pieces: () => new CompletionInPieces()
}

/** OpenAI, or Gemini through the endpoint where it speaks the same language, by OpenAI's SDK. */
export function openAiProvider(provider: 'openai' | 'gemini', config: LlmProviderConfig): Provider & Embedder {
  const sdk = once(async () => {
    const { OpenAI } = await import('openai')
    // Named, or the SDK takes what is missing from the environment, also for a provider that is not OpenAI.
    const account = { organization: null, project: null, adminAPIKey: null, webhookSecret: null }
    const client = new OpenAI({ ...account, ...clientOptions(config.baseUrl ?? BASE_URLS[provider], config) })
    return { client, errors: OpenAI }
  })
  const upstream = (model: string): Upstream => ({ provider, apiKey: config.apiKey, model })
  return {
    ...sdkProvider(upstream, sdk, chatCompletions),
    async embed(text, signal) {
      // Asked for by name: the SDK asks for base64 otherwise, and takes numbers for it without a word.
      const body = { model: EMBEDDING_MODEL, input: text, encoding_format: 'float' }
      return post(new Call(upstream(EMBEDDING_MODEL), body, signal), sdk, '/embeddings', vectorOf)
    }
  }
}

const embeddings = z.object({ data: z.array(z.object({ embedding: z.array(z.number()) })).min(1) })

function vectorOf(answer: unknown): number[] {
  const parsed = embeddings.safeParse(answer)
  if (!parsed.success) throw new UnreadableAnswer('sent something that is not an embedding.')
  const [first] = parsed.data.data
  if (first?.embedding.length !== EMBEDDING_SIZE) throw new UnreadableAnswer('sent an embedding of an unexpected size.')
  return first.embedding
}
