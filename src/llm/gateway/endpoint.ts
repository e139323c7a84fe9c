import { z } from 'zod'
import type { INTERFACES } from '../../../commands/llm/events.js'
import { errors } from '../../errors.js'
import type { Target, Wire } from '../targets.js'
import type { Body } from './bound.js'

/** One kind of call, as its interface has it. */
export interface Endpoint {
  readonly name: (typeof INTERFACES)[number]
  readonly wire: Wire
  /** Behind the address of a provider that speaks it. */
  readonly path: string
  /** How many tokens a model may write at most; null where the call does not say. */
  outputBound(body: Body): number | null
  /** The same call, which lets a model write so many tokens at most. */
  bounded(body: Body, tokens: number): Body
  /** The same call as it is sent: with whatever makes its provider count what a stream uses. */
  sent(body: Body): Body
  /** True for an event that tells nothing but what was used, which the client has not asked for. */
  isUnasked(body: Body, event: unknown): boolean
  /** How many messages are sent. */
  messages(body: Body): number
}

const count = z.int().positive()
const lengthOf = (value: unknown) => (Array.isArray(value) ? value.length : 1)

/** The largest of the numbers that a call says under these names, null for none; 400 for what is no number: a provider may take it for one. */
function countIn(body: Body, ...names: readonly string[]): number | null {
  const said = names.flatMap((name) => {
    const value = body[name]
    if (value === undefined || value === null) return []
    const { data } = count.safeParse(value)
    if (data === undefined) throw errors.modelCallRefused(`${name} must be a whole number above 0.`)
    return [data]
  })
  return said.length > 0 ? Math.max(...said) : null
}

/** A call of a provider that may know its bound on output by the older name. */
export function boundAs(field: Target['outputField'], body: Body): Body {
  const { max_completion_tokens: most, ...rest } = body
  return field === 'max_tokens' && most !== undefined ? { ...rest, max_tokens: body.max_tokens ?? most } : body
}

/** What most endpoints do. */
const plain = { sent: (body: Body) => body, isUnasked: () => false }

const streamOptions = z.looseObject({ include_usage: z.boolean().nullish() }).nullish().catch(null)
const aboutUsage = z.object({ choices: z.array(z.unknown()).length(0), usage: z.object({}) })

/** `POST /v1/chat/completions`. */
export const chatCompletions: Endpoint = {
  name: 'chat.completions',
  wire: 'openai',
  path: '/chat/completions',
  outputBound(body) {
    const answers = countIn(body, 'n') ?? 1
    const most = countIn(body, 'max_completion_tokens', 'max_tokens')
    return most === null ? null : most * answers
  },
  bounded: (body, tokens) => ({
    ...body,
    max_completion_tokens: Math.max(1, Math.floor(tokens / (countIn(body, 'n') ?? 1)))
  }),
  sent: (body) =>
    body.stream === true
      ? { ...body, stream_options: { ...streamOptions.parse(body.stream_options), include_usage: true } }
      : body,
  isUnasked: (body, event) =>
    streamOptions.parse(body.stream_options)?.include_usage !== true && aboutUsage.safeParse(event).success,
  messages: ({ messages }) => lengthOf(messages)
}

/** `POST /v1/responses`. */
export const responses: Endpoint = {
  ...plain,
  name: 'responses',
  wire: 'openai',
  path: '/responses',
  outputBound: (body) => countIn(body, 'max_output_tokens'),
  bounded: (body, tokens) => ({ ...body, max_output_tokens: tokens }),
  messages: ({ input }) => lengthOf(input)
}

/** `POST /v1/embeddings`. */
export const embeddings: Endpoint = {
  ...plain,
  name: 'embeddings',
  wire: 'openai',
  path: '/embeddings',
  outputBound: () => 0,
  bounded: (body) => body,
  messages: ({ input }) => lengthOf(input)
}

/** `POST /v1/messages`. */
export const messages: Endpoint = {
  ...plain,
  name: 'messages',
  wire: 'anthropic',
  path: '/v1/messages',
  outputBound: (body) => countIn(body, 'max_tokens'),
  bounded: (body, tokens) => ({ ...body, max_tokens: tokens }),
  messages: ({ messages }) => lengthOf(messages)
}

/** `POST /v1/messages/count_tokens`, which uses nothing. */
export const countTokens: Endpoint = { ...messages, path: '/v1/messages/count_tokens', outputBound: () => 0 }
