import { z } from 'zod'
import type { StepRef, ToolCall } from './messages.js'
import { ProviderFailure } from './provider.js'
import type { StepOutcome } from './step.js'
import type { Usage, UsageReport } from './usage.js'

const count = z.int().min(0)
/** A call of a tool, and tokens, as clients are told of them. */
const callName = z.string().describe('The name of the tool.')
const callArguments = z.string().describe('The arguments as the model wrote them: JSON, or what it took for JSON.')
export const answeredCall = z.object({
  id: z.string().describe('The id of the call, to which the result refers.'),
  name: callName,
  arguments: callArguments
})
export const answeredUsage = z.object({
  promptTokens: count.describe('Tokens that the model read.'),
  completionTokens: count.describe('Tokens that the model wrote.'),
  totalTokens: count.describe('Tokens in all.')
})

/** What every event of a streamed step carries. */
const every = {
  v: z.literal(1).describe('The version of the protocol.'),
  turnId: z.string().describe('The `turnId` of the request.'),
  stepIndex: count.describe('The `stepIndex` of the request.')
}
const call = { callId: z.string().describe('The id of the call, to which the result refers.'), name: callName }

/**
 * One event of a streamed step, as it is sent. `harbor` is a call that the client has to make, `hub` one that the hub makes. The
 * last one is `step.end`, `turn.error` or `turn.cancelled`.
 */
export const streamEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('step.start').describe('The step begins.'), ...every }),
  z.object({
    type: z.enum(['delta.text', 'delta.thought']).describe('More of the text, or of what the model thinks.'),
    chunk: z.string().describe('What comes behind what was there before.'),
    ...every
  }),
  z.object({
    type: z.literal('tool.call').describe('The model calls a tool.'),
    ...call,
    owner: z.enum(['harbor', 'hub']).describe('Who runs it: the client (`harbor`) or the hub.'),
    arguments: callArguments,
    ...every
  }),
  z.object({
    type: z.literal('tool.result').describe('A tool that the hub ran has answered.'),
    ...call,
    owner: z.literal('hub').describe('Who ran it: the hub.'),
    summary: z.string().describe('The beginning of the answer, for people.'),
    ok: z.boolean().describe('False where the tool failed.'),
    ...every
  }),
  z.object({
    type: z.literal('step.end').describe('The step is over.'),
    content: z.string().nullable().describe('The whole text; null where there is none.'),
    toolCalls: z.array(answeredCall).optional().describe('The calls that the client has to run before the next step.'),
    usage: answeredUsage.describe('The tokens of the step.'),
    iteration: z
      .object({
        hitIterationLimit: z.literal(true).describe('True: there were as many rounds as a step may have.'),
        boundary: z.literal('hub_inner').describe('Whose bound it is: that of the hub.')
      })
      .optional()
      .describe('Where tools of the hub were called as often as a step may; else missing.'),
    ...every
  }),
  z.object({
    type: z.literal('turn.error').describe('The step has failed.'),
    message: z.string().describe('Why, as a text for people.'),
    ...every
  }),
  z.object({ type: z.literal('turn.cancelled').describe('The step was given up.'), ...every })
])
export type StreamEvent = Readonly<z.infer<typeof streamEvent>>

type Unstamped<E> = E extends unknown ? Omit<E, keyof typeof every> : never
/** An event without what every one carries. */
export type StepEvent = Unstamped<StreamEvent>

const MAX_CHUNK = 65_536
const MAX_SUMMARY = 2048
const MAX_CONTENT = 1024 * 1024
const MAX_MESSAGE = 4096
const CUT = '...'

/** The event as clients accept it, or the several that it takes: they drop what is longer than the protocol says. */
export function streamEvents({ turnId, stepIndex }: StepRef, event: StepEvent): readonly StreamEvent[] {
  return bounded(event).map((part) => ({ v: 1, ...part, turnId, stepIndex }))
}

/** What a client is told of a step that has ended. */
export function finalEvents(outcome: StepOutcome): readonly StepEvent[] {
  switch (outcome.kind) {
    case 'done':
      return [
        ...outcome.toolCalls.map((call) => toolCallEvent(call, 'harbor')),
        {
          type: 'step.end',
          content: outcome.content,
          ...(outcome.toolCalls.length > 0 && { toolCalls: [...outcome.toolCalls] }),
          usage: plainUsage(outcome.usage),
          ...(outcome.hitIterationLimit && { iteration: { hitIterationLimit: true, boundary: 'hub_inner' } as const })
        }
      ]
    case 'failed':
      return [{ type: 'turn.error', message: outcome.failure.message }]
    case 'cancelled':
      return [{ type: 'turn.cancelled' }]
  }
}

/** Announces a call, of the client's tools or of the hub's. */
export function toolCallEvent({ id, name, arguments: args }: ToolCall, owner: 'harbor' | 'hub'): StepEvent {
  return { type: 'tool.call', callId: id, name, owner, arguments: args }
}

/** The reply to a step that was not streamed, with every key, whatever the model said; else throws the refusal, or the fault. */
export function stepReply(outcome: StepOutcome) {
  switch (outcome.kind) {
    case 'done':
      return { content: outcome.content ?? '', toolCalls: outcome.toolCalls, usage: plainUsage(outcome.usage) }
    case 'failed':
      throw outcome.cause ?? outcome.failure
    case 'cancelled':
      throw new ProviderFailure(503, 'The chat step was cancelled.', outcome.usage)
  }
}

/** Usage as clients are told of it. */
function plainUsage({ promptTokens, completionTokens, totalTokens }: UsageReport): Usage {
  return { promptTokens, completionTokens, totalTokens }
}

function bounded(event: StepEvent): readonly StepEvent[] {
  switch (event.type) {
    case 'delta.text':
    case 'delta.thought':
      return pieces(event.chunk).map((chunk) => ({ ...event, chunk }))
    case 'tool.result':
      return [{ ...event, summary: cut(event.summary, MAX_SUMMARY) }]
    case 'step.end':
      return [{ ...event, content: event.content === null ? null : cut(event.content, MAX_CONTENT) }]
    case 'turn.error':
      return [{ ...event, message: cut(event.message, MAX_MESSAGE) || 'The chat step failed.' }]
    default:
      return [event]
  }
}

function pieces(text: string): readonly string[] {
  const all: string[] = []
  for (let start = 0; start < text.length; ) {
    const end = boundary(text, start + MAX_CHUNK)
    all.push(text.slice(start, end))
    start = end
  }
  return all
}

function cut(text: string, max: number): string {
  return text.length <= max ? text : text.slice(0, boundary(text, max - CUT.length)) + CUT
}

/** The place to cut at or before `end` without cutting a character in half. */
function boundary(text: string, end: number): number {
  const code = text.charCodeAt(end - 1)
  return end < text.length && code >= 0xd800 && code <= 0xdbff ? end - 1 : end
}
