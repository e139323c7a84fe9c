import { z } from 'zod'
import { maybeTokenCounts, type TokenCounts } from '../../counts.js'
import { reading, UnreadableAnswer } from '../../failure.js'
import { args, messageUsage, stopReason, word, words } from './answers.js'
import { Blocks, frame } from './blocks.js'

/** Writes a stream of one interface as that of the other, as it comes in. */
export interface StreamTranslator {
  /** What is to be sent for the next event; throws `UnreadableAnswer` for what is none of the interface. */
  take(event: unknown): readonly string[]
  /** What is to be sent at the end; throws `UnreadableAnswer` where the answer is not whole. */
  end(): readonly string[]
}

/** Why a stream is none that ended before its answer had. */
export const broken = () => new UnreadableAnswer('ended its answer before it was complete. Try again.')
/** Why a stream is none whose provider says so itself. */
export const failing = () => new UnreadableAnswer('has trouble answering. Try again in a moment.')

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
  usage: maybeTokenCounts
})

/** A stream of chat completions as messages have it: blocks that begin, go on and end, one after the other. */
export function chunksToEvents(model: string): StreamTranslator {
  const read = reading('chat completion')
  const blocks = new Blocks()
  let [hasBegun, finish]: [boolean, string | null] = [false, null]
  let usage: TokenCounts = {}
  return {
    take(event) {
      const piece = read(chunk, event)
      if (piece.error !== undefined && piece.error !== null) throw failing()
      const out: string[] = []
      if (!hasBegun) {
        hasBegun = true
        const message = { id: `msg_${piece.id}`, type: 'message', role: 'assistant', model, content: [] }
        const open = { stop_reason: null, stop_sequence: null, usage: messageUsage(null) }
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
        frame('message_delta', { delta: { stop_reason, stop_sequence: null }, usage: messageUsage(usage) }),
        frame('message_stop', {})
      ]
    }
  }
}
