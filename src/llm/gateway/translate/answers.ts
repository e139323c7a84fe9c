import { z } from 'zod'
import { LIMITS } from '../../../limits.js'
import { maybeTokenCounts, type TokenCounts, usageIn } from '../../counts.js'
import { reading, tooManyParts } from '../../failure.js'
import { objectIn } from '../../messages.js'
import { newCallId } from './blocks.js'

/** A text that nothing is lost with where it is none. */
export const word = z.string().nullish().catch(null)

/** Why a model has stopped, as chat completions call it and as messages do. */
const FINISHED: Readonly<Record<string, string>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  function_call: 'tool_use',
  content_filter: 'refusal'
}
const STOPPED: Readonly<Record<string, string>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  pause_turn: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool_calls',
  refusal: 'content_filter'
}

/** Why a model has stopped, as messages call what chat completions call it. Gemini calls it a plain stop where tools are called. */
export function stopReason(finish: string | null | undefined, hasCalls: boolean): string {
  if (hasCalls && (finish ?? 'stop') === 'stop') return 'tool_use'
  return FINISHED[finish ?? 'stop'] ?? 'end_turn'
}

/** Why a model has stopped, as chat completions call what messages call it. */
export function finishReason(stop: string | null | undefined): string {
  return STOPPED[stop ?? 'end_turn'] ?? 'stop'
}

/** What was used, as chat completions have it. */
export function chatUsage(counted: TokenCounts | null | undefined) {
  const { promptTokens, completionTokens, totalTokens } = usageIn(counted ?? {})
  return { prompt_tokens: promptTokens, completion_tokens: completionTokens, total_tokens: totalTokens }
}

/** The same as messages have it: what only the total holds, thoughts of Gemini among it, is output. */
export function messageUsage(counted: TokenCounts | null | undefined) {
  const { promptTokens, completionTokens } = usageIn(counted ?? {})
  return { input_tokens: promptTokens, output_tokens: completionTokens }
}

const textPart = z.object({ type: z.literal('text'), text: z.string() })
/** What a model says: a text, or parts, of which Mistral has some for its thoughts. */
export const words = z
  .union([
    z.string(),
    z.array(z.unknown()).transform((parts) => parts.flatMap((one) => textPart.safeParse(one).data?.text ?? []).join(''))
  ])
  .nullish()
  .catch(null)
/** What a tool is called with: a text of JSON, or the object itself, as some send it. */
export const args = z
  .union([z.string(), z.record(z.string(), z.unknown()).transform((object) => JSON.stringify(object))])
  .nullish()
  .catch(null)

const completion = z.object({
  id: z.string().catch(''),
  choices: z
    .array(
      z.object({
        finish_reason: word,
        message: z.object({
          content: words,
          refusal: word,
          tool_calls: z
            .array(z.object({ id: word, function: z.object({ name: z.string(), arguments: args }) }))
            .nullish()
        })
      })
    )
    .min(1),
  usage: maybeTokenCounts
})

/** What a model has answered to chat completions, as messages have it. Throws `UnreadableAnswer` for what is none. */
export function completionToMessage(answer: unknown, model: string) {
  const { id, choices, usage } = reading('chat completion')(completion, answer)
  const [first] = choices
  const said = first?.message.content || first?.message.refusal || ''
  const calls = first?.message.tool_calls ?? []
  if (calls.length > LIMITS.answerParts.max) throw tooManyParts()
  return {
    ...{ id: `msg_${id}`, type: 'message', role: 'assistant', model },
    content: [
      ...(said === '' ? [] : [{ type: 'text', text: said }]),
      ...calls.map(({ id, function: { name, arguments: args } }) => ({
        type: 'tool_use',
        id: id || newCallId(),
        name,
        input: objectIn(args ?? '')
      }))
    ],
    ...{ stop_reason: stopReason(first?.finish_reason, calls.length > 0), stop_sequence: null },
    usage: messageUsage(usage)
  }
}

/** A message as a whole. */
export const message = z.object({
  id: z.string().catch(''),
  type: z.literal('message'),
  content: z.array(z.looseObject({ type: z.string() })),
  stop_reason: word,
  usage: maybeTokenCounts
})
const toolUse = z.object({ type: z.literal('tool_use'), id: z.string(), name: z.string(), input: z.unknown() })

/** What a model has answered to messages, as chat completions have it. Throws `UnreadableAnswer` for what is none. */
export function messageToCompletion(answer: unknown, model: string, now_ms: number) {
  const { id, content, stop_reason, usage } = reading('message')(message, answer)
  if (content.length > LIMITS.answerParts.max) throw tooManyParts()
  const texts = content.flatMap((one) => textPart.safeParse(one).data?.text ?? [])
  const tool_calls = content.flatMap((one) => {
    const { data } = toolUse.safeParse(one)
    return data
      ? [{ id: data.id, type: 'function', function: { name: data.name, arguments: JSON.stringify(data.input ?? {}) } }]
      : []
  })
  const said = { role: 'assistant', content: texts.length === 0 ? null : texts.join(''), refusal: null }
  const whole = tool_calls.length > 0 ? { ...said, tool_calls } : said
  return {
    ...{ id: `chatcmpl-${id}`, object: 'chat.completion', created: Math.floor(now_ms / 1000), model },
    choices: [{ index: 0, message: whole, logprobs: null, finish_reason: finishReason(stop_reason) }],
    usage: chatUsage(usage)
  }
}
