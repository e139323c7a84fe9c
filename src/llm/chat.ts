import { setImmediate } from 'node:timers/promises'
import type { ChatTurn } from '../../commands/llm/decide.js'
import type { CatalogModel } from '../config/types.js'
import { errors } from '../errors.js'
import { LIMITS } from '../limits.js'
import { sha256 } from '../log/chain.js'
import type { EventStream } from '../net/sse.js'
import { boundedCalls } from './boundedCalls.js'
import { type ChatRequest, type StepRef, startsTurn } from './messages.js'
import type { Provider } from './provider.js'
import { type ChatClient, Reservation, type UsedStep } from './reservation.js'
import type { Llm } from './service.js'
import { StandIns } from './standIns.js'
import { type Emit, runStep, type StepOutcome } from './step.js'
import { finalEvents, type StepEvent, streamEvents } from './stepEvents.js'
import type { OfferedTools } from './tools.js'
import { isNothing } from './usage.js'

const NOT_RECORDED: StepEvent = {
  type: 'turn.error',
  message: 'What this step used could not be recorded. Try again in a moment.'
}

/** What a step is made with, and the model that was asked for. */
export interface ChosenModel {
  readonly llm: Pick<Llm, 'hubTools' | 'price' | 'providers' | 'stepTimeoutSeconds' | 'toolCallsPerStep' | 'turnSizes'>
  readonly model: CatalogModel
}

/** Whoever follows a step as it goes: `left` is aborted when nobody listens any more. */
type Listener = Pick<EventStream, 'left' | 'send' | 'end'>

/**
 * Runs a step that was let through, and tells whoever listens what happens; it resolves when what was used is recorded, or kept
 * until it can be. To be called exactly once.
 */
export type RunStep = (left: AbortSignal, emit?: Emit) => Promise<StepOutcome>

/**
 * Lets a chat step through, or refuses it with 402 where the month's limit is used up. A continuation, whose last message is
 * the result of a call of a tool, is let through where the account has begun the turn of that call in the last day, so that what
 * has begun can end; everything else is admitted only if what is used stays under the limit (section 8, Limits), and refused with 429
 * for as long as other turns have reserved all that is left. Budgets admit each call of the step, also of one that goes on, where the most
 * that it can use is left.
 */
export async function admitStep(client: ChatClient, chosen: ChosenModel, request: ChatRequest): Promise<RunStep> {
  const { userId, sent_bytes } = client
  const { llm, model } = chosen
  const [first, ...others] = llm.providers(model)
  if (!first) throw errors.modelNotOffered()
  const provider = new StandIns([first, ...others])
  const { hubTools, turnSizes, stepTimeoutSeconds: timeoutSeconds, toolCallsPerStep } = llm
  const models = [first, ...others].map((one) => one.model.id)
  const chat = turnOf(request, client)
  const reservation = await Reservation.of(client, { models, price: llm.price, timeoutSeconds, chat })
  let offered: Promise<OfferedTools> | undefined
  let asked: Provider = provider
  if (reservation.hasBudgets) {
    const first = await hubTools.offered(request.tools, client.left)
    offered = Promise.resolve(first)
    asked = await boundedCalls(provider, { ...request, tools: first.tools }, reservation)
  } else if (reservation.isNeeded) {
    const reserved = reservation.reserve({ ...turnSizes.expected(userId, model.id, sent_bytes), atLeast: 1 })
    // The reservation is on its way then.
    offered = setImmediate().then(() => hubTools.offered(request.tools, client.left))
    // Where it is refused nobody waits for this.
    offered.catch(() => {})
    await reserved
  }
  reservation.keep()
  const step = { request, provider: asked, hubTools, timeoutSeconds, toolCallsPerStep, ...(offered && { offered }) }
  return async (left, emit) => {
    const outcome = await runStep({ ...step, signal: left, ...(emit && { emit }) })
    if (outcome.kind === 'done' && !outcome.usage.estimated)
      turnSizes.learn(userId, model.id, sent_bytes, outcome.usage)
    if (outcome.kind !== 'done' && isNothing(outcome.usage)) await reservation.release()
    else await reservation.settle(provider.model, provider.attempts, usedBy(request, outcome))
    return outcome
  }
}

/** What a request says of the turn that it is of. */
function turnOf(request: ChatRequest, { now }: ChatClient): ChatTurn {
  const since = new Date(now() - LIMITS.turnAge.max).toISOString()
  return { continues: request.messages.at(-1)?.role === 'tool' ? { since, answers: answered(request) } : null }
}

/** What is recorded of a step. */
function usedBy(request: ChatRequest, outcome: StepOutcome): UsedStep {
  const toolCalls = outcome.kind === 'done' ? outcome.toolCalls : []
  const answers = answered(request)
  return {
    ...outcome.usage,
    isNewTurn: startsTurn(request),
    hadToolCalls: toolCalls.length > 0,
    calls: toolCalls.map(({ id }) => digestOf(id)),
    ...(answers !== null && { answers }),
    messageCount: request.messages.length,
    outcome: outcome.kind === 'done' ? 'completed' : outcome.kind
  }
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

/**
 * Runs a step before a listener, and tells how it ended when what it used is recorded: a client that asks for its usage then finds
 * this step in it. Where that fails, the listener is told that the step has, and the error is thrown. A listener that leaves aborts
 * what is on its way to the provider; what was used up to then is recorded all the same.
 */
export async function streamStep(listener: Listener, ref: StepRef, run: RunStep): Promise<StepOutcome> {
  const emit = async (event: StepEvent) => {
    for (const part of streamEvents(ref, event)) await listener.send(part)
  }
  const outcome = await run(listener.left, emit).catch(async (error: unknown) => {
    await listener.end(streamEvents(ref, NOT_RECORDED))
    throw error
  })
  await listener.end(finalEvents(outcome).flatMap((event) => streamEvents(ref, event)))
  return outcome
}
