import { z } from 'zod'
import { LIMITS } from '../../../limits.js'
import { maybeTokenCounts, type TokenCounts, withLater } from '../../counts.js'
import { reading, tooManyParts } from '../../failure.js'
import { chatUsage, finishReason, word } from './answers.js'
import { broken, failing, type StreamTranslator } from './streams.js'

/** A block of a message, or how it begins. What a tool is called with comes with it, or in pieces. */
export const messageBlock = z.object({
  ...{ type: z.string(), id: word, name: word, text: word },
  input: z.record(z.string(), z.unknown()).catch({})
})
const delta = z.object({ type: word, text: word, thinking: word, partial_json: word, stop_reason: word })
/** More of a block, or of the message. */
export type MessageDelta = z.infer<typeof delta>
/** An event of a message that is streamed. */
export const messageEvent = z.object({
  type: z.string(),
  index: z.int().nonnegative().catch(0),
  message: z
    .object({ id: z.string().catch(''), usage: maybeTokenCounts })
    .nullish()
    .catch(null),
  content_block: messageBlock.nullish().catch(null),
  delta: delta.nullish().catch(null),
  usage: maybeTokenCounts
})

/** What begins a block of a message: a text, a call of a tool, or something that is told in this interface alone, such as a thought. */
export type BlockStart = z.infer<typeof messageBlock>

/** Tells a message of Anthropic's interface in another, as it comes in: what is to be sent for each step of it. */
export interface Teller {
  begin(id: string): readonly string[]
  open(index: number, block: BlockStart): readonly string[]
  addText(piece: string): readonly string[]
  /** A piece of what is called with in a block, which may be another than a call of a tool of the client. */
  addArgs(index: number, piece: string): readonly string[]
  close(index: number): readonly string[]
  end(stop: string | null, usage: TokenCounts): readonly string[]
}

/** A stream of messages, as somebody tells it. */
export function messageStream(teller: Teller): StreamTranslator {
  const read = reading('message')
  let [stop, isOver]: [string | null, boolean] = [null, false]
  let usage: TokenCounts = {}
  return {
    take(event) {
      const { type, index, message, content_block, delta, usage: counted } = read(messageEvent, event)
      usage = withLater(withLater(usage, message?.usage), counted)
      switch (type) {
        case 'message_start':
          return teller.begin(message?.id ?? '')
        case 'content_block_start':
          return content_block ? teller.open(index, content_block) : []
        case 'content_block_delta':
          if (delta?.type === 'text_delta' && delta.text) return teller.addText(delta.text)
          return delta?.type === 'input_json_delta' && delta.partial_json
            ? teller.addArgs(index, delta.partial_json)
            : []
        case 'content_block_stop':
          return teller.close(index)
        case 'message_delta':
          stop = delta?.stop_reason ?? stop
          return []
        case 'message_stop':
          isOver = true
          return []
        case 'error':
          throw failing()
        default:
          return []
      }
    },
    end() {
      if (!isOver) throw broken()
      return teller.end(stop, usage)
    }
  }
}

/** Tells a message as chunks of a chat completion; what was used is told where it was asked for. */
export function chunkTeller(model: string, now_ms: number, tellsUsage: boolean): Teller {
  const created = Math.floor(now_ms / 1000)
  /** The number of each call, by its block, and what it is called with where no pieces of that come. */
  const calls = new Map<number, { readonly number: number; atOnce: string | null }>()
  let id = ''
  const frame = (rest: object) =>
    `data: ${JSON.stringify({ id: `chatcmpl-${id}`, object: 'chat.completion.chunk', created, model, ...rest })}\n\n`
  const delta = (one: object, finish_reason: string | null = null) =>
    frame({ choices: [{ index: 0, delta: one, logprobs: null, finish_reason }] })
  const argsOf = (number: number, text: string) =>
    delta({ tool_calls: [{ index: number, function: { arguments: text } }] })
  return {
    begin(message) {
      id = message
      return [delta({ role: 'assistant', content: '' })]
    },
    open(index, { type, id, name, text, input }) {
      if (type === 'text') return text ? [delta({ content: text })] : []
      if (type !== 'tool_use') return []
      if (calls.size >= LIMITS.answerParts.max) throw tooManyParts()
      const number = calls.size
      calls.set(index, { number, atOnce: JSON.stringify(input) })
      const called = { index: number, id: id ?? '', type: 'function', function: { name: name ?? '', arguments: '' } }
      return [delta({ tool_calls: [called] })]
    },
    addText: (piece) => [delta({ content: piece })],
    addArgs(index, piece) {
      const call = calls.get(index)
      if (!call) return []
      call.atOnce = null
      return [argsOf(call.number, piece)]
    },
    close(index) {
      const { number = 0, atOnce = null } = calls.get(index) ?? {}
      return atOnce === null ? [] : [argsOf(number, atOnce)]
    },
    end(stop, usage) {
      const told = tellsUsage ? [frame({ choices: [], usage: chatUsage(usage) })] : []
      return [delta({}, finishReason(stop)), ...told, 'data: [DONE]\n\n']
    }
  }
}
