import { z } from 'zod'
import type { Wire } from '../../targets.js'
import type { Body } from '../bound.js'
import { chatCompletions, type Endpoint, messages } from '../endpoint.js'
import { completionToMessage, messageToCompletion } from './answers.js'
import { chatToMessages } from './chatToMessages.js'
import { messagesToChat } from './messagesToChat.js'
import { chunksToEvents, eventsToChunks, type StreamTranslator } from './streams.js'

/** How a call in one interface is made in the other, and what comes back told in the first. */
export interface Translation {
  /** What the provider is asked by. */
  readonly endpoint: Endpoint
  /** The call; 400 for what the other interface has no word for. */
  body(body: Body): Body
  whole(answer: unknown): object
  stream(): StreamTranslator
}

const told = z.object({ stream_options: z.object({ include_usage: z.literal(true) }) })

/** How a model of a provider that speaks so is asked by this endpoint; null where it is not. */
export function translationOf({ name }: Endpoint, wire: Wire, body: Body, now_ms: number): Translation | null {
  const model = String(body.model)
  if (name === 'chat.completions' && wire === 'anthropic')
    return {
      endpoint: messages,
      body: chatToMessages,
      whole: (answer) => messageToCompletion(answer, model, now_ms),
      stream: () => eventsToChunks(model, now_ms, told.safeParse(body).success)
    }
  if (name === 'messages' && wire === 'openai')
    return {
      endpoint: chatCompletions,
      body: messagesToChat,
      whole: (answer) => completionToMessage(answer, model),
      stream: () => chunksToEvents(model)
    }
  return null
}
