import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { LlmCommand } from '../../commands/llm/decide.js'
import type { CatalogModel } from '../config/types.js'
import { LIMITS } from '../limits.js'
import { sha256 } from '../log/chain.js'
import { type ChatRequest, type StepRef, startsTurn } from './messages.js'
import type { Provider } from './provider.js'
import type { Llm } from './service.js'
import { type ChatStep, runStep, type StepOutcome } from './step.js'
import { finalEvents, type StepEvent, type StepReply, type StreamEvent, stepReply, streamEvents } from './stepEvents.js'
import type { OfferedTools } from './tools.js'

/** The longest that tokens stay reserved of which nobody says that their step is still on its way. */
const MAX_HELD_MS = 45_000

const NOT_RECORDED: StepEvent = {
  type: 'turn.error',
  message: 'What this step used could not be recorded. Try again in a moment.'
}

/** Who asks for a step, and where what it uses is kept. */
export interface ChatClient {
  readonly userId: string
  readonly tokenId: string
  /** True where the account has a monthly limit. */
  readonly isLimited: boolean
  /** How large the request was. */
  readonly sent_bytes: number
  /** Aborted when nobody waits for the answer any more. */
  readonly left: AbortSignal
  readonly now: () => number
  /** Carries out a command on behalf of the client. */
  readonly run: (command: LlmCommand) => Promise<unknown>
  /** Carries out a command as the system, on behalf of the client: what was used counts even if its token was revoked meanwhile. */
  readonly record: (command: LlmCommand) => Promise<unknown>
}

/** What a step is made with: the model that was asked for, and its provider. */
export interface ChosenModel {
  readonly llm: Pick<Llm, 'hubTools' | 'stepTimeoutSeconds' | 'toolCallsPerStep' | 'turnSizes'>
  readonly model: CatalogModel
  readonly provider: Provider
}

/** Whoever follows a step as it goes; a stream of server-sent events is one. */
export interface StepListener {
  /** Aborted when nobody listens any more. */
  readonly left: AbortSignal
  send(event: StreamEvent): Promise<void>
  end(last: readonly StreamEvent[]): Promise<void>
}

/** A step that was let through. Exactly one of its methods has to be called, once. */
export interface AdmittedStep {
  /** Runs the step, records what it used, and returns the reply; rejects with the refusal where there is none. */
  answer(): Promise<StepReply>
  /** Runs the step before a listener, as `streamStep` does. */
  stream(ref: StepRef, listener: StepListener): Promise<StepOutcome>
}

/**
 * Lets a chat step through, or refuses it with 402 where the month's limit is used up. A continuation, whose last message is
 * the result of a call of a tool, is let through where the account has begun the turn of that call in the last day, so that what
 * has begun can end; everything else is admitted only if what is used stays under the limit (section 8, Limits), and refused with 429
 * for as long as other turns have reserved all that is left.
 */
export async function admitStep(client: ChatClient, chosen: ChosenModel, request: ChatRequest): Promise<AdmittedStep> {
  const { hubTools, stepTimeoutSeconds: timeoutSeconds, toolCallsPerStep } = chosen.llm
  const id = randomUUID()
  const asked = { request, provider: chosen.provider, hubTools }
  let offered: Promise<OfferedTools> | undefined
  if (client.isLimited) {
    const since = new Date(client.now() - LIMITS.turnAge.max).toISOString()
    const continues = request.messages.at(-1)?.role === 'tool' ? { since, answers: answered(request) } : null
    const tokens = chosen.llm.turnSizes.expected(client.userId, chosen.model.id, client.sent_bytes)
    const expiresAt = reservedUntil(client, timeoutSeconds)
    const reserved = client.run({ type: 'ReserveLlmTurn', id, tokens, expiresAt, continues })
    // The reservation is on its way then.
    offered = setImmediate().then(() => hubTools.offered(request.tools, client.left))
    // Where it is refused nobody waits for this.
    offered.catch(() => {})
    await reserved
  }
  const letGo = client.isLimited ? keepReserved(id, client, timeoutSeconds) : () => {}
  const step = { ...asked, timeoutSeconds, toolCallsPerStep, ...(offered && { offered }) }
  const settle = (outcome: StepOutcome) => {
    letGo()
    const { usage } = outcome
    if (outcome.kind === 'done' && !usage.estimated)
      chosen.llm.turnSizes.learn(client.userId, chosen.model.id, client.sent_bytes, usage)
    return settleStep(id, client, chosen.model, request, outcome)
  }
  return {
    async answer() {
      const outcome = await runStep({ ...step, signal: client.left })
      await settle(outcome)
      return stepReply(outcome)
    },
    stream: (ref, listener) => streamStep(listener, { ref, step, settle })
  }
}

/** Records what a step used, or gives its reservation back where it used nothing. */
async function settleStep(
  id: string,
  { userId, tokenId, isLimited, record }: ChatClient,
  model: CatalogModel,
  request: ChatRequest,
  outcome: StepOutcome
): Promise<void> {
  const { promptTokens, completionTokens, totalTokens, estimated } = outcome.usage
  if (outcome.kind !== 'done' && promptTokens + completionTokens + totalTokens === 0) {
    if (isLimited) await record({ type: 'ReleaseLlmTurn', id })
    return
  }
  const toolCalls = outcome.kind === 'done' ? outcome.toolCalls : []
  const answers = answered(request)
  const step = {
    userId,
    tokenId,
    model: model.id,
    provider: model.provider,
    promptTokens,
    completionTokens,
    totalTokens,
    isNewTurn: startsTurn(request),
    hadToolCalls: toolCalls.length > 0,
    calls: toolCalls.map(({ id }) => digestOf(id)),
    ...(answers !== null && { answers }),
    messageCount: request.messages.length,
    outcome: outcome.kind === 'done' ? ('completed' as const) : outcome.kind,
    estimated
  }
  await record({ type: 'RecordLlmStep', id, step })
}

/** The digest of the call whose result the request ends with; null where it ends with none. */
function answered({ messages }: ChatRequest): string | null {
  const last = messages.at(-1)
  return last?.role === 'tool' && last.toolCallId !== null ? digestOf(last.toolCallId) : null
}

/** Enough of a digest to know a call again. */
function digestOf(callId: string): string {
  return sha256(callId).slice(0, 16)
}

export interface StreamedStep {
  readonly ref: StepRef
  readonly step: Omit<ChatStep, 'emit' | 'signal'>
  /**
   * Records what the step has used, before the listener is told of its end: a client that asks for its usage then finds
   * this step in it. Where it fails, the listener is told that the step has, and the error is thrown at the end.
   */
  settle(outcome: StepOutcome): Promise<void>
}

/**
 * Runs a step before a listener, and tells how it ended. A listener that leaves aborts what is on its way to the provider;
 * what was used up to then is settled all the same.
 */
export async function streamStep(listener: StepListener, { ref, step, settle }: StreamedStep): Promise<StepOutcome> {
  const emit = async (event: StepEvent) => {
    for (const part of streamEvents(ref, event)) await listener.send(part)
  }
  const outcome = await runStep({ ...step, signal: listener.left, emit })
  try {
    await settle(outcome)
  } catch (error) {
    await listener.end(streamEvents(ref, NOT_RECORDED))
    throw error
  }
  await listener.end(finalEvents(outcome).flatMap((event) => streamEvents(ref, event)))
  return outcome
}

/** How long tokens stay reserved where nobody settles the step or says that it is still on its way: as after a crash. */
export function reservationLifetime_ms(stepTimeoutSeconds: number): number {
  return Math.min(2 * stepTimeoutSeconds * 1000, MAX_HELD_MS)
}

function reservedUntil({ now }: ChatClient, stepTimeoutSeconds: number): string {
  return new Date(now() + reservationLifetime_ms(stepTimeoutSeconds)).toISOString()
}

/** Says again and again that a step is still on its way, until what it returns is called. */
function keepReserved(id: string, client: ChatClient, stepTimeoutSeconds: number): () => void {
  const extend = () => {
    const expiresAt = reservedUntil(client, stepTimeoutSeconds)
    // Where it cannot be written others are admitted early, and what this step uses counts all the same.
    client.record({ type: 'ExtendLlmTurn', id, expiresAt }).catch(() => {})
  }
  const timer = setInterval(extend, reservationLifetime_ms(stepTimeoutSeconds) / 3)
  timer.unref()
  return () => clearInterval(timer)
}
