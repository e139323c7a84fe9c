import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { Price } from '../../commands/llm/budget/amounts.js'
import type { ChatTurn, LlmCommand } from '../../commands/llm/decide.js'
import type { CatalogModel } from '../config/types.js'
import { errors } from '../errors.js'
import { LIMITS } from '../limits.js'
import { sha256 } from '../log/chain.js'
import type { EventStream } from '../net/sse.js'
import { boundedCalls } from './boundedCalls.js'
import { type ChatRequest, type StepRef, startsTurn } from './messages.js'
import type { Provider } from './provider.js'
import { countingIn, dearest, keepReserved, reservedUntil } from './reservation.js'
import type { Llm } from './service.js'
import { StandIns } from './standIns.js'
import { type Emit, runStep, type StepOutcome } from './step.js'
import { finalEvents, type StepEvent, streamEvents } from './stepEvents.js'
import type { OfferedTools } from './tools.js'

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
  /** The budgets that count what it uses of these models; `model` is null where that is all of them. */
  budgets(models: readonly string[]): Promise<readonly { readonly id: string; readonly model: string | null }[]>
  /** How large the request was. */
  readonly sent_bytes: number
  /** Aborted when nobody waits for the answer any more. */
  readonly left: AbortSignal
  readonly now: () => number
  /** Carries out a command on behalf of the client. */
  readonly run: (command: LlmCommand) => Promise<unknown>
  /** How many tokens a reservation of its holds; 0 for none. */
  readonly held: (id: string) => Promise<number>
  /** Carries out a command as the system, on behalf of the client: what was used counts even if its token was revoked meanwhile. */
  readonly record: (command: LlmCommand) => Promise<unknown>
}

/** What a step is made with, and the model that was asked for. */
export interface ChosenModel {
  readonly llm: Pick<Llm, 'hubTools' | 'price' | 'providers' | 'stepTimeoutSeconds' | 'toolCallsPerStep' | 'turnSizes'>
  readonly model: CatalogModel
}

/** Whoever follows a step as it goes: `left` is aborted when nobody listens any more. */
type Listener = Pick<EventStream, 'left' | 'send' | 'end'>

/**
 * Runs a step that was let through, and tells whoever listens what happens; it resolves when what was used is recorded. To be called
 * exactly once.
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
  const models = [first, ...others].map((one) => one.model.id)
  const { hubTools, turnSizes, stepTimeoutSeconds: timeoutSeconds, toolCallsPerStep } = llm
  const id = randomUUID()
  const budgets = await client.budgets(models)
  const isReserved = client.isLimited || budgets.length > 0
  const reserve = async (tokens: { readonly tokens: number; readonly input: number; readonly atLeast: number }) => {
    const expiresAt = reservedUntil(client, timeoutSeconds)
    const asked = { models, price: dearest(llm, models), ...tokens, expiresAt, chat: turnOf(request, client) }
    await client.run({ type: 'ReserveLlmTurn', id, ...asked })
  }
  let offered: Promise<OfferedTools> | undefined
  let asked: Provider = provider
  if (budgets.length > 0) {
    const first = await hubTools.offered(request.tools, client.left)
    offered = Promise.resolve(first)
    asked = await boundedCalls(provider, { ...request, tools: first.tools }, async (tokens) => {
      await reserve(tokens)
      return client.held(id)
    })
  } else if (isReserved) {
    const reserved = reserve({ ...turnSizes.expected(userId, model.id, sent_bytes), atLeast: 1 })
    // The reservation is on its way then.
    offered = setImmediate().then(() => hubTools.offered(request.tools, client.left))
    // Where it is refused nobody waits for this.
    offered.catch(() => {})
    await reserved
  }
  const letGo = isReserved ? keepReserved(id, client, timeoutSeconds) : () => {}
  const step = { request, provider: asked, hubTools, timeoutSeconds, toolCallsPerStep, ...(offered && { offered }) }
  return async (left, emit) => {
    const outcome = await runStep({ ...step, signal: left, ...(emit && { emit }) })
    letGo()
    if (outcome.kind === 'done' && !outcome.usage.estimated)
      turnSizes.learn(userId, model.id, sent_bytes, outcome.usage)
    const { model: by, attempts } = provider
    const counting = { budgets: countingIn(budgets, by.id), price: llm.price(by.id), isReserved }
    await settleStep(id, client, { by, attempts, ...counting }, request, outcome)
    return outcome
  }
}

/** What a request says of the turn that it is of. */
function turnOf(request: ChatRequest, { now }: ChatClient): ChatTurn {
  const since = new Date(now() - LIMITS.turnAge.max).toISOString()
  return { continues: request.messages.at(-1)?.role === 'tool' ? { since, answers: answered(request) } : null }
}

/** Who has answered a step, and what counts it: budgets, by the price of that model, and whether tokens are reserved for it. */
interface CountedBy {
  readonly by: CatalogModel
  /** How many models were asked. */
  readonly attempts: number
  readonly budgets: readonly string[]
  readonly price: Price | null
  readonly isReserved: boolean
}

/** Records what a step used, or gives its reservation back where it used nothing. */
async function settleStep(
  id: string,
  { userId, tokenId, record }: ChatClient,
  { by, attempts, budgets, price, isReserved }: CountedBy,
  request: ChatRequest,
  outcome: StepOutcome
): Promise<void> {
  const { usage } = outcome
  if (outcome.kind !== 'done' && usage.promptTokens + usage.completionTokens + usage.totalTokens === 0) {
    if (isReserved) await record({ type: 'ReleaseLlmTurn', id })
    return
  }
  const toolCalls = outcome.kind === 'done' ? outcome.toolCalls : []
  const answers = answered(request)
  const step = {
    userId,
    tokenId,
    model: by.id,
    provider: by.provider,
    ...usage,
    ...(attempts > 1 && { attempts }),
    isNewTurn: startsTurn(request),
    hadToolCalls: toolCalls.length > 0,
    calls: toolCalls.map(({ id }) => digestOf(id)),
    ...(answers !== null && { answers }),
    messageCount: request.messages.length,
    outcome: outcome.kind === 'done' ? ('completed' as const) : outcome.kind
  }
  await record({ type: 'RecordLlmStep', id, step, budgets, price })
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
