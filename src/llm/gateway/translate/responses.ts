import { LIMITS } from '../../../limits.js'
import { type TokenCounts, usageIn } from '../../counts.js'
import { reading, tooManyParts } from '../../failure.js'
import { AnswerTooLarge } from '../../transport.js'
import type { Body } from '../bound.js'
import { message } from './answers.js'
import { frame } from './blocks.js'
import { type BlockStart, messageBlock, type Teller } from './messageStreams.js'

/** What has come of an item of a response. */
interface Open {
  readonly item: Item
  readonly at: { readonly item_id: string; readonly output_index: number }
  text: string
  /** What a tool is called with where no pieces of that come. */
  readonly atOnce: string
}

type Item = ReturnType<typeof textItem> | ReturnType<typeof callItem>

/** Why a response is not complete, by why a model has stopped as messages call it. */
const INCOMPLETE: Readonly<Record<string, string>> = {
  max_tokens: 'max_output_tokens',
  model_context_window_exceeded: 'max_output_tokens',
  refusal: 'content_filter'
}

/**
 * Tells a message of Anthropic's interface as a response of OpenAI's: texts and calls of tools are its items, in their order; of thoughts
 * nothing is told. Throws `UnreadableAnswer` for more items than any model writes, `AnswerTooLarge` for more text.
 */
export class ResponseTeller implements Teller {
  readonly #asked: Body
  readonly #created_at: number
  readonly #output: Item[] = []
  #id = ''
  #sequence = 0
  #open: Open | null = null
  #chars = 0

  /** `asked` is the call, in the interface of responses. */
  constructor(asked: Body, now_ms: number) {
    this.#asked = asked
    this.#created_at = Math.floor(now_ms / 1000)
  }

  begin(id: string): readonly string[] {
    this.#id = id
    const response = this.#response('in_progress')
    return [this.#event('response.created', { response }), this.#event('response.in_progress', { response })]
  }

  open(_: number, { type, id, name, text, input }: BlockStart): readonly string[] {
    if (type !== 'text' && type !== 'tool_use') return []
    if (this.#output.length === LIMITS.answerParts.max) throw tooManyParts()
    const output_index = this.#output.length
    const place = `${this.#id}_${output_index}`
    const item = type === 'text' ? textItem(place, 'in_progress', null) : callItem(place, 'in_progress', id, name, '')
    this.#output.push(item)
    this.#open = { item, at: { item_id: item.id, output_index }, text: '', atOnce: JSON.stringify(input) }
    const added = this.#event('response.output_item.added', { output_index, item })
    if (type === 'tool_use') return [added]
    const part = { ...this.#open.at, content_index: 0, part: textPart('') }
    return [added, this.#event('response.content_part.added', part), ...(text ? this.addText(text) : [])]
  }

  addText(piece: string): readonly string[] {
    const open = this.#goOn('message', piece)
    if (!open) return []
    return [this.#event('response.output_text.delta', { ...open.at, content_index: 0, delta: piece, logprobs: [] })]
  }

  addArgs(_: number, piece: string): readonly string[] {
    const open = this.#goOn('function_call', piece)
    return open ? [this.#event('response.function_call_arguments.delta', { ...open.at, delta: piece })] : []
  }

  close(): readonly string[] {
    const open = this.#open
    if (!open) return []
    this.#open = null
    const { at, item: begun } = open
    const { item, out } = begun.type === 'message' ? this.#textEnded(open, begun) : this.#callEnded(open, begun)
    this.#output[at.output_index] = item
    return [...out, this.#event('response.output_item.done', { output_index: at.output_index, item })]
  }

  end(stop: string | null, usage: TokenCounts): readonly string[] {
    const response = this.whole(stop, usage)
    return [this.#event(`response.${response.status}`, { response })]
  }

  /** The response, when all of it has come. */
  whole(stop: string | null | undefined, usage: TokenCounts) {
    const reason = INCOMPLETE[stop ?? '']
    const whole = this.#response(reason ? 'incomplete' : 'completed')
    return { ...whole, incomplete_details: reason ? { reason } : null, usage: usageOf(usage) }
  }

  /** Puts a piece to the item that has begun; null where that is none of this type. */
  #goOn(type: Item['type'], piece: string): Open | null {
    const open = this.#open
    if (open?.item.type !== type) return null
    open.text += piece
    this.#chars += piece.length
    if (this.#chars > LIMITS.answerBody.max) throw new AnswerTooLarge()
    return open
  }

  #textEnded({ at, text }: Open, { id }: Item) {
    const part = { ...at, content_index: 0 }
    const out = [
      this.#event('response.output_text.done', { ...part, text, logprobs: [] }),
      this.#event('response.content_part.done', { ...part, part: textPart(text) })
    ]
    return { item: { ...textItem('', 'completed', text), id }, out }
  }

  #callEnded({ at, text, atOnce }: Open, begun: ReturnType<typeof callItem>) {
    const told = text || atOnce
    const item = { ...begun, status: 'completed', arguments: told }
    return {
      item,
      out: [this.#event('response.function_call_arguments.done', { ...at, name: begun.name, arguments: told })]
    }
  }

  #event(type: string, data: object): string {
    return frame(type, { sequence_number: this.#sequence++, ...data })
  }

  /** With what was asked, as the interface tells it again. */
  #response(status: string) {
    const { model, instructions, max_output_tokens, metadata, parallel_tool_calls } = this.#asked
    const { temperature, text, tool_choice, tools, top_p } = this.#asked
    return {
      ...{ id: `resp_${this.#id}`, object: 'response', created_at: this.#created_at, status },
      ...{ error: null, incomplete_details: null as { reason: string } | null, model, output: [...this.#output] },
      ...{ instructions: instructions ?? null, max_output_tokens: max_output_tokens ?? null },
      ...{ metadata: metadata ?? {}, parallel_tool_calls: parallel_tool_calls ?? true, previous_response_id: null },
      ...{ store: false, temperature: temperature ?? null, text: text ?? { format: { type: 'text' } } },
      ...{ tool_choice: tool_choice ?? 'auto', tools: tools ?? [], top_p: top_p ?? null, usage: null }
    }
  }
}

function textPart(text: string) {
  return { type: 'output_text', text, annotations: [], logprobs: [] }
}

function textItem(place: string, status: string, text: string | null) {
  const content = text === null ? [] : [textPart(text)]
  return { id: `msg_${place}`, type: 'message' as const, status, role: 'assistant', content }
}

function callItem(place: string, status: string, id: BlockStart['id'], name: BlockStart['name'], args: string) {
  const called = { call_id: id ?? '', name: name ?? '', arguments: args }
  return { id: `fc_${place}`, type: 'function_call' as const, status, ...called }
}

function usageOf(counted: TokenCounts) {
  const { promptTokens, completionTokens, totalTokens } = usageIn(counted)
  const input_tokens_details = { cached_tokens: counted.cache_read_input_tokens ?? 0 }
  return {
    ...{ input_tokens: promptTokens, input_tokens_details, output_tokens: completionTokens },
    ...{ output_tokens_details: { reasoning_tokens: 0 }, total_tokens: totalTokens }
  }
}

/** What a model has answered to messages, as responses have it. Throws `UnreadableAnswer` for what is none. */
export function messageToResponse(answer: unknown, asked: Body, now_ms: number) {
  const { id, content, stop_reason, usage } = reading('message')(message, answer)
  const teller = new ResponseTeller(asked, now_ms)
  teller.begin(id)
  for (const one of content) {
    const { data } = messageBlock.safeParse(one)
    if (!data) continue
    teller.open(0, data)
    teller.close()
  }
  return teller.whole(stop_reason, usage ?? {})
}
