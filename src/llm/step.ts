import { HubError } from '../errors.js'
import { timeout } from '../lib/timeout.js'
import { LIMITS } from '../limits.js'
import { argumentsOf, type ChatRequest, type ToolCall } from './messages.js'
import { CallAborted, type OnDelta, type Provider, ProviderFailure } from './provider.js'
import { abortable } from './signals.js'
import { type StepEvent, toolCallEvent } from './stepEvents.js'
import { failedTool, type HubToolResult, type HubTools, isHubToolName, type OfferedTools } from './tools.js'
import { addUsage, NO_USAGE, type Usage, type UsageReport } from './usage.js'

export type Emit = (event: StepEvent) => Promise<void>

export interface ChatStep {
  readonly request: ChatRequest
  readonly provider: Provider
  readonly hubTools: HubTools
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal
  /** For the whole step, with every call that it makes. */
  readonly timeoutSeconds: number
  /** How many calls of tools the model may ask for in the whole step, its own and those of the hub. */
  readonly toolCallsPerStep: number
  /** The tools of the hub, where they were asked for before. */
  readonly offered?: Promise<OfferedTools>
  /** Where it is given, the provider is asked to stream, and what comes in is told; it may hold the step up, but not fail. */
  readonly emit?: Emit
}

/** What a step has come to. */
export interface StepResult {
  readonly content: string | null
  /** Calls of the client's own tools. */
  readonly toolCalls: readonly ToolCall[]
  /** True when the model still wanted to use the hub's tools as the hub stopped asking it. */
  readonly hitIterationLimit: boolean
}

/** How a step ended. Each way has used something, perhaps, and that has to be counted. */
export type StepOutcome =
  | ({ readonly kind: 'done'; readonly usage: UsageReport } & StepResult)
  | {
      readonly kind: 'failed'
      /** The provider's, or the hub's own refusal of a further call. */
      readonly failure: HubError
      /** What went wrong where it was the hub's own fault; for the log, never for a client. */
      readonly cause?: unknown
      readonly usage: UsageReport
    }
  | { readonly kind: 'cancelled'; readonly usage: UsageReport }

/** How often one step asks the provider. */
export const MAX_PROVIDER_CALLS = 8

/**
 * Runs one step of a conversation: asks the provider, makes the calls of the hub's own tools that the model wants, and asks
 * again, until the model is done, wants a tool of the client's, or has asked often enough. An answer that asks for more calls
 * than the step has left ends it, and none of them is made. It never rejects: however it ends, its caller has to know what
 * was used.
 */
export async function runStep(step: ChatStep): Promise<StepOutcome> {
  const time = timeout(step.timeoutSeconds * 1000)
  const signal = AbortSignal.any([step.signal, time])
  let usage = NO_USAGE
  const count = (more: Usage & Partial<UsageReport>) => {
    usage = addUsage(usage, more)
  }
  try {
    return { kind: 'done', ...(await iterate(step, signal, count)), usage }
  } catch (error) {
    if (error instanceof ProviderFailure || error instanceof CallAborted) count(error.usage)
    if (signal.reason === time.reason && time.aborted) {
      return { kind: 'failed', failure: tookTooLong(step.timeoutSeconds, usage), usage }
    }
    if (signal.aborted) return { kind: 'cancelled', usage }
    if (error instanceof HubError) return { kind: 'failed', failure: error, usage }
    return { kind: 'failed', failure: new ProviderFailure(502, 'The chat step failed.', usage), cause: error, usage }
  }
}

async function iterate(step: ChatStep, signal: AbortSignal, count: (usage: Usage) => void): Promise<StepResult> {
  const { request } = step
  const emit = emitter(step, signal)
  const tell: OnDelta = ({ type, chunk }) => emit({ type: `delta.${type}`, chunk })
  await emit({ type: 'step.start' })
  const offered = await abortable(step.offered ?? step.hubTools.offered(request.tools, signal), signal)
  const messages = [...request.messages]
  let callsLeft = step.toolCallsPerStep
  let resultsLeft_chars: number = LIMITS.toolResults.max
  for (let calls = 1; ; calls += 1) {
    signal.throwIfAborted()
    const asked = { ...request, messages, tools: offered.tools }
    const { content, toolCalls, usage } = await step.provider.complete(asked, signal, step.emit && tell)
    count(usage)
    callsLeft -= toolCalls.length
    if (callsLeft < 0) return stop(`use ${step.toolCallsPerStep} tools in one step`, emit)
    const clients = toolCalls.filter(({ name }) => !isHubToolName(name) && offered.find(name) === null)
    // The hub's calls beside a client's are dropped: their results would have nobody to go to.
    if (toolCalls.length === 0 || clients.length > 0) return { content, toolCalls: clients, hitIterationLimit: false }
    if (calls === MAX_PROVIDER_CALLS) return stop(`work with its tools ${MAX_PROVIDER_CALLS} times in a row`, emit)
    messages.push({ role: 'assistant', content, toolCalls })
    for (const call of toolCalls) {
      await emit(toolCallEvent(call, 'hub'))
      const result = await abortable(resultOf(call, offered, signal), signal)
      const isTooLong = result.text.length > resultsLeft_chars
      const { text, ok } = isTooLong ? failedTool('The tools have said too much in this step.') : result
      await emit({ type: 'tool.result', callId: call.id, name: call.name, owner: 'hub', summary: text, ok })
      resultsLeft_chars -= text.length
      messages.push({ role: 'tool', toolCallId: call.id, content: text })
    }
  }
}

/** Ends a step whose model wants more than it may have. */
async function stop(what: string, emit: Emit): Promise<StepResult> {
  const content = `I have stopped here: this hub lets me ${what}, and I needed more. Ask me to continue, or ask for less at once.`
  await emit({ type: 'delta.text', chunk: content })
  return { content, toolCalls: [], hitIterationLimit: true }
}

async function resultOf(call: ToolCall, offered: OfferedTools, signal: AbortSignal): Promise<HubToolResult> {
  const tool = offered.find(call.name)
  if (!tool) return failedTool('This tool is not available.')
  try {
    return await tool.call(argumentsOf(call), signal)
  } catch {
    return failedTool('The tool failed.')
  }
}

/** Tells events one after another; when the signal is aborted it waits for no reader any more. */
function emitter({ emit }: ChatStep, signal: AbortSignal): Emit {
  return async (event) => {
    if (emit && !signal.aborted) await abortable(emit(event), signal).catch(() => undefined)
  }
}

function tookTooLong(timeoutSeconds: number, usage: UsageReport): ProviderFailure {
  const text = `The answer took longer than the ${timeoutSeconds} seconds that this hub allows. Try again, or ask for less at once.`
  return new ProviderFailure(504, text, usage)
}
