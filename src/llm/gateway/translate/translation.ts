import { z } from 'zod'
import type { Wire } from '../../targets.js'
import type { Body } from '../bound.js'
import { chatCompletions, type Endpoint, messages } from '../endpoint.js'
import { completionToMessage, messageToCompletion } from './answers.js'
import { chatToMessages } from './chatToMessages.js'
import { chunkTeller, messageStream } from './messageStreams.js'
import { messagesToChat } from './messagesToChat.js'
import { messageToResponse, ResponseTeller } from './responses.js'
import { responsesToChat } from './responsesToChat.js'
import { chunksToEvents, type StreamTranslator } from './streams.js'

/** How a call in one interface is made in the other, and what comes back told in the first. */
export interface Translation {
  /** What the provider is asked by. */
  readonly endpoint: Endpoint
  /** The call; 400 for what the other interface has no word for. */
  body(body: Body): Promise<Body>
  whole(answer: unknown): object
  stream(): StreamTranslator
}

const usageWanted = z.object({ stream_options: z.object({ include_usage: z.literal(true) }) })

/** How a model of a provider that speaks so is asked by this endpoint; null where it is not. */
export function translationOf({ name }: Endpoint, wire: Wire, body: Body, now_ms: number): Translation | null {
  const model = String(body.model)
  if (name === 'chat.completions' && wire === 'anthropic')
    return {
      endpoint: messages,
      body: chatToMessages,
      whole: (answer) => messageToCompletion(answer, model, now_ms),
      stream: () => messageStream(chunkTeller(model, now_ms, usageWanted.safeParse(body).success))
    }
  if (name === 'responses' && wire === 'anthropic')
    return {
      endpoint: messages,
      body: async (asked) => chatToMessages(await responsesToChat(asked)),
      whole: (answer) => messageToResponse(answer, body, now_ms),
      stream: () => messageStream(new ResponseTeller(body, now_ms))
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
