import { z } from 'zod'
import { LIMITS } from '../../../limits.js'
import { reading, tooManyParts, UnreadableAnswer } from '../../failure.js'
import {
  args,
  chatUsage,
  completionUsage,
  finishReason,
  messageUsage,
  NOTHING_USED,
  stopReason,
  words
} from './answers.js'
import { Blocks, frame } from './blocks.js'

/** Writes a stream of one interface as that of the other, as it comes in. */
export interface StreamTranslator {
  /** What is to be sent for the next event; throws `UnreadableAnswer` for what is none of the interface. */
  take(event: unknown): readonly string[]
  /** What is to be sent at the end; throws `UnreadableAnswer` where the answer is not whole. */
  end(): readonly string[]
}

const word = z.string().nullish().catch(null)
const broken = () => new UnreadableAnswer('ended its answer before it was complete. Try again.')
const failing = () => new UnreadableAnswer('has trouble answering. Try again in a moment.')

const chunk = z.object({
  id: z.string().catch(''),
  error: z.unknown().optional(),
  choices: z
    .array(
      z.object({
        finish_reason: word,
        delta: z
          .object({
            content: words,
            refusal: word,
            tool_calls: z
              .array(
                z.object({
                  index: z.int().nonnegative().nullable().catch(null),
                  id: word,
                  function: z.object({ name: word, arguments: args }).nullish()
                })
              )
              .nullish()
          })
          .nullish()
      })
    )
    .nullish(),
  usage: completionUsage
})

/** A stream of chat completions as messages have it: blocks that begin, go on and end, one after the other. */
export function chunksToEvents(model: string): StreamTranslator {
  const read = reading('chat completion')
  const blocks = new Blocks()
  let [hasBegun, finish]: [boolean, string | null] = [false, null]
  let usage = NOTHING_USED
  return {
    take(event) {
      const piece = read(chunk, event)
      if (piece.error !== undefined && piece.error !== null) throw failing()
      const out: string[] = []
      if (!hasBegun) {
        hasBegun = true
        const message = { id: `msg_${piece.id}`, type: 'message', role: 'assistant', model, content: [] }
        const open = { stop_reason: null, stop_sequence: null, usage: NOTHING_USED }
        out.push(frame('message_start', { message: { ...message, ...open } }))
      }
      usage = piece.usage ?? usage
      const [choice] = piece.choices ?? []
      const text = choice?.delta?.content || choice?.delta?.refusal
      if (text) out.push(...blocks.say(text))
      for (const { index, id, function: called } of choice?.delta?.tool_calls ?? [])
        out.push(...blocks.call({ index, id: id ?? '', name: called?.name ?? '', args: called?.arguments ?? '' }))
      if (choice?.finish_reason) finish = choice.finish_reason
      return out
    },
    end() {
      if (finish === null) throw broken()
      const stop_reason = stopReason(finish, blocks.hasCalls)
      return [
        ...blocks.end(),
        frame('message_delta', { delta: { stop_reason, stop_sequence: null }, usage }),
        frame('message_stop', {})
      ]
    }
  }
}

const said = z.object({
  type: z.string(),
  index: z.int().nonnegative().catch(0),
  message: z
    .object({ id: z.string().catch(''), usage: messageUsage })
    .nullish()
    .catch(null),
  content_block: z.object({ type: z.string(), id: word, name: word, text: word }).nullish().catch(null),
  delta: z.object({ type: word, text: word, partial_json: word, stop_reason: word }).nullish().catch(null),
  usage: messageUsage
})

/** A stream of messages as chat completions have it; what was used is told where it was asked for. */
export function eventsToChunks(model: string, now_ms: number, tellsUsage: boolean): StreamTranslator {
  const read = reading('message')
  const created = Math.floor(now_ms / 1000)
  /** The number of each call, by its block. */
  const calls = new Map<number, number>()
  let [id, stop, isOver]: [string, string | null, boolean] = ['', null, false]
  let usage: z.infer<typeof messageUsage> = {}
  const frame = (rest: object) =>
    `data: ${JSON.stringify({ id: `chatcmpl-${id}`, object: 'chat.completion.chunk', created, model, ...rest })}\n\n`
  const delta = (one: object, finish_reason: string | null = null) =>
    frame({ choices: [{ index: 0, delta: one, logprobs: null, finish_reason }] })
  const begin = (index: number, block: NonNullable<z.infer<typeof said>['content_block']>) => {
    if (block.type === 'text') return block.text ? [delta({ content: block.text })] : []
    if (block.type !== 'tool_use') return []
    if (calls.size >= LIMITS.answerParts.max) throw tooManyParts()
    calls.set(index, calls.size)
    const call = { index: calls.size - 1, id: block.id ?? '', type: 'function' }
    return [delta({ tool_calls: [{ ...call, function: { name: block.name ?? '', arguments: '' } }] })]
  }
  const goOn = (index: number, piece: NonNullable<z.infer<typeof said>['delta']>) => {
    if (piece.type === 'text_delta' && piece.text) return [delta({ content: piece.text })]
    const call = calls.get(index)
    if (piece.type !== 'input_json_delta' || call === undefined || !piece.partial_json) return []
    return [delta({ tool_calls: [{ index: call, function: { arguments: piece.partial_json } }] })]
  }
  return {
    take(event) {
      const { type, index, message, content_block, delta: piece, usage: counted } = read(said, event)
      usage = { ...usage, ...message?.usage, ...counted }
      switch (type) {
        case 'message_start':
          id = message?.id ?? ''
          return [delta({ role: 'assistant', content: '' })]
        case 'content_block_start':
          return content_block ? begin(index, content_block) : []
        case 'content_block_delta':
          return piece ? goOn(index, piece) : []
        case 'message_delta':
          stop = piece?.stop_reason ?? stop
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
      const told = tellsUsage ? [frame({ choices: [], usage: chatUsage(usage) })] : []
      return [delta({}, finishReason(stop)), ...told, 'data: [DONE]\n\n']
    }
  }
}
