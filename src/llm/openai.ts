import { z } from 'zod'
import { LIMITS } from '../limits.js'
import { maybeTokenCounts } from './counts.js'
import { reading, tooManyParts, UnreadableAnswer } from './failure.js'
import { boundAs } from './gateway/endpoint.js'
import type { ChatMessage, ChatRequest } from './messages.js'
import type { Embed, Provider } from './provider.js'
import { AnswerReader, ask, clientOptions, type NewSdk, type NewText, sdkProvider } from './sdkProvider.js'
import type { Place, Target } from './targets.js'

const EMBEDDING_MODEL = 'text-embedding-3-small'

/** A model that is asked by OpenAI's SDK: one of OpenAI, or of whoever else speaks the same language. */
export function openAiProvider(target: Target, key: string): Provider {
  const sdk: NewSdk = async (unanswered) => {
    const { OpenAI, client } = await clientOf(target, key, unanswered)
    return { resource: client.chat.completions, errors: OpenAI }
  }
  const bodyOf = (request: ChatRequest, isStreamed: boolean) =>
    boundAs(target.outputField, openAiBody(request, isStreamed))
  return sdkProvider(target, key, sdk, bodyOf, () => new CompletionReader())
}

/** What OpenAI is asked for embeddings by. */
export function openAiEmbed(place: Place): Embed {
  const [apiKey = ''] = place.keys
  const sdk: NewSdk = async (unanswered) => {
    const { OpenAI, client } = await clientOf(place, apiKey, unanswered)
    return { resource: client.embeddings, errors: OpenAI }
  }
  const upstream = { provider: place.provider, label: place.label, apiKey, model: EMBEDDING_MODEL }
  return (text, signal) => {
    // Asked for by name: the SDK asks for base64 otherwise, and takes numbers for it without a word.
    const body = { model: EMBEDDING_MODEL, input: text, encoding_format: 'float' }
    return ask(upstream, sdk, body, signal, vectorOf)
  }
}

async function clientOf(place: Place, key: string, unanswered: () => void) {
  const { OpenAI } = await import('openai')
  // Named, or the SDK takes what is missing from the environment, also for a provider that is not OpenAI.
  const account = { organization: null, project: null, adminAPIKey: null, webhookSecret: null }
  return { OpenAI, client: new OpenAI({ ...account, ...clientOptions(place, key, unanswered) }) }
}

/** The body of `POST /chat/completions` that stands for a request; streamed, the answer comes piece by piece, its usage last. */
export function openAiBody({ model, systemPrompt, messages, tools, mostOutput }: ChatRequest, isStreamed = false) {
  return {
    model,
    messages: [
      ...(systemPrompt.trim() === '' ? [] : [{ role: 'system', content: systemPrompt }]),
      ...messages.map(messageOf)
    ],
    ...(tools.length > 0 && { tools }),
    ...(mostOutput !== undefined && { max_completion_tokens: mostOutput }),
    ...(isStreamed && { stream: true, stream_options: { include_usage: true } })
  }
}

function messageOf(message: ChatMessage) {
  const { role, content } = message
  const plain = { role, content: content ?? '' }
  if (message.role === 'tool')
    return { ...plain, ...(message.toolCallId !== null && { tool_call_id: message.toolCallId }) }
  if (message.role !== 'assistant' || message.toolCalls.length === 0) return plain
  const tool_calls = message.toolCalls.map(({ id, name, arguments: args }) => {
    return { id, type: 'function', function: { name, arguments: args } }
  })
  return { role, content, tool_calls }
}

const read = reading('chat completion')

const text = z.string().nullish()

const said = z.object({
  content: text,
  // Not OpenAI's own, but what servers that speak its language call the thoughts of a model.
  reasoning_content: text.catch(null),
  reasoning: text.catch(null),
  tool_calls: z.array(z.unknown()).nullish()
})
const call = z.object({
  index: z.int().nonnegative().nullish(),
  id: text,
  type: text,
  function: z.object({ name: text, arguments: text.catch(null) }).nullish()
})

// Only the first choice is looked at, and no call before their number is known: neither is bounded by whoever sends them.
const reply = z.object({ choices: z.array(z.unknown()), usage: maybeTokenCounts })
const replyChoice = z.object({ message: said })
const streamChunk = z.object({ choices: z.array(z.unknown()).nullish(), usage: maybeTokenCounts })
const streamChoice = z.object({ delta: said.nullish(), finish_reason: text })

class CompletionReader extends AnswerReader {
  take(piece: unknown): NewText {
    const { choices, usage } = read(streamChunk, piece)
    // Some providers count on every piece, others on the last; each count is of the whole.
    this.count(usage)
    // A piece without choices is about the answer, and not of it.
    if (!choices || choices.length === 0) return {}
    this.hasBegun = true
    const { delta, finish_reason } = read(streamChoice, choices[0])
    if (finish_reason) this.isFinished = true
    return delta ? this.#add(delta, false) : {}
  }

  takeWhole(answer: unknown): void {
    const { choices, usage } = read(reply, answer)
    if (choices.length === 0) throw this.nothing()
    this.count(usage)
    this.#add(read(replyChoice, choices[0]).message, true)
  }

  nothing(): UnreadableAnswer {
    return new UnreadableAnswer('sent an empty answer. Try again.')
  }

  /** Takes a message, or the next piece of it. Of a whole one, what is no call is left out. */
  #add({ content, reasoning_content, reasoning, tool_calls }: z.infer<typeof said>, isWhole: boolean): NewText {
    if (tool_calls && tool_calls.length > LIMITS.answerParts.max) throw tooManyParts()
    if (typeof content === 'string') this.say(content)
    let rest = ''
    for (const [at, sent] of (tool_calls ?? []).entries()) {
      const piece = isWhole ? call.safeParse(sent).data : read(call, sent)
      if (piece) rest += this.#takeCall(isWhole ? { ...piece, index: at } : piece)
    }
    return { text: content, thought: reasoning_content ?? reasoning, rest }
  }

  #takeCall({ index = null, id, type, function: called }: z.infer<typeof call>): string {
    // A piece belongs to the last call nearly always, and there are no more calls than may be looked through for it.
    let known = this.calls.findLast((one) => index === null || one.index === index)
    // Gemini numbers parallel calls alike, or not at all: there a new id is what begins a new call.
    if (!known || (id && known.id !== '' && known.id !== id)) {
      if (this.calls.length === LIMITS.answerParts.max) throw tooManyParts()
      known = { index, id: '', isFunction: (type ?? 'function') === 'function', name: '', arguments: '' }
      this.calls.push(known)
    }
    known.id ||= id ?? ''
    known.name ||= called?.name ?? ''
    known.arguments += called?.arguments ?? ''
    return called?.arguments ?? ''
  }
}

const embeddings = z.object({ data: z.array(z.object({ embedding: z.array(z.number()) })).min(1) })

function vectorOf(answer: unknown): number[] {
  const [first] = embeddings.safeParse(answer).data?.data ?? []
  if (!first) throw new UnreadableAnswer('sent something that is not an embedding.')
  return first.embedding
}
