import { randomUUID } from 'node:crypto'
import type { CallOrigin } from '../../../commands/llm/events.js'
import type { CatalogModel, LlmProviderConfig } from '../../config/types.js'
import { errors } from '../../errors.js'
import { LIMITS } from '../../limits.js'
import type { ChatClient } from '../chat.js'
import { failureOfFetch, notA, type Upstream } from '../failure.js'
import { CallAborted, ProviderFailure } from '../provider.js'
import { keepReserved, reservedUntil } from '../reservation.js'
import type { Llm } from '../service.js'
import { timeout } from '../signals.js'
import { NO_USAGE, type UsageReport } from '../usage.js'
import { ask, type Begun, type Refused, wholeBody } from './ask.js'
import { type Body, mostInput, reachesOthers, usesProvidersTools } from './bound.js'
import { Counting } from './counting.js'
import type { Endpoint } from './endpoint.js'
import { EventSplitter, jsonIn } from './events.js'

/** How many tokens a model may write where neither the call nor the account says, and the account has a limit. */
const USUAL_OUTPUT = 16_384
/** With fewer left a call is not begun. */
const LEAST_OUTPUT = 256

/** A call of a model by another program. */
export interface ModelCall {
  readonly endpoint: Endpoint
  readonly body: Body
  readonly headers: Readonly<Record<string, string>>
  /** What the program calls itself; null where it does not. */
  readonly tool: string | null
}

/** Who is asked, and what counts it. */
export interface Asked {
  readonly llm: Pick<Llm, 'counted'>
  readonly model: CatalogModel
  readonly config: LlmProviderConfig
}

/** What a call comes to: an answer, or a refusal in the provider's own words; or a stream of what the provider sends, event by event. */
export type ModelAnswer =
  | { readonly kind: 'whole'; readonly status: number; readonly bytes: Buffer }
  | { readonly kind: 'stream'; readonly events: () => AsyncGenerator<Buffer> }

/** A client as calls need it. */
export interface CallingClient extends ChatClient {
  /** How many tokens a reservation of its holds. */
  readonly held: (id: string) => Promise<number>
}

/**
 * Makes a call for a client and settles what it has used, however it ends. A client with a limit is let through where the most that
 * the call can use is left, and that is reserved until it is settled: 402 where it is not, 429 while others hold it.
 */
export async function callModel(client: CallingClient, asked: Asked, call: ModelCall): Promise<ModelAnswer> {
  const refusal = reachesOthers(call.body) ?? (client.isLimited ? usesProvidersTools(call.body) : null)
  if (refusal !== null) throw errors.modelCallRefused(refusal)
  const id = randomUUID()
  const body = client.isLimited ? await reserved(id, client, asked, call) : call.body
  const letGo = client.isLimited ? keepReserved(id, client, asked.config.timeoutSeconds) : () => {}
  const ended = asked.llm.counted(asked.model)
  const settle = async (outcome: 'completed' | 'failed' | 'cancelled', usage: UsageReport, attempts: number) => {
    letGo()
    ended(outcome, usage)
    await settled(id, client, asked, call, { outcome, usage, attempts })
  }
  const { config, model } = asked
  const upstream = { provider: model.provider, apiKey: config.apiKey, model: model.id }
  const signal = AbortSignal.any([client.left, timeout(LIMITS.modelCall.max)])
  const { endpoint, headers } = call
  try {
    const sent = { wire: endpoint.wire, path: endpoint.path, headers, body: endpoint.sent(body) }
    const begun = await ask(sent, config, upstream, signal)
    const way = { call, upstream, signal, settle, sent_chars: JSON.stringify(body).length }
    if (!('response' in begun)) return await refused(begun, way)
    if (body.stream === true) return { kind: 'stream', events: () => passed(begun, way) }
    return await whole(begun, way)
  } catch (error) {
    if (error instanceof CallAborted) await settle('cancelled', NO_USAGE, 1)
    else if (error instanceof ProviderFailure && !isSettled.has(error)) await settle('failed', NO_USAGE, 1)
    throw error
  }
}

/** Failures whose use is recorded already. */
const isSettled = new WeakSet<Error>()

type Settle = (outcome: 'completed' | 'failed' | 'cancelled', usage: UsageReport, attempts: number) => Promise<void>

/** What an answer is read with. */
interface Way {
  readonly call: ModelCall
  readonly upstream: Upstream
  readonly signal: AbortSignal
  readonly settle: Settle
  readonly sent_chars: number
}

/** Reserves what a call can use at most, and returns the call that can use no more. */
async function reserved(id: string, client: CallingClient, { config }: Asked, { endpoint, body }: ModelCall) {
  const input = mostInput(body)
  const output = endpoint.outputBound(body)
  const command = {
    ...({ type: 'ReserveLlmTurn', id, continues: null } as const),
    tokens: input + (output ?? USUAL_OUTPUT),
    atLeast: input + (output ?? LEAST_OUTPUT),
    expiresAt: reservedUntil(client, config.timeoutSeconds)
  }
  await client.run(command)
  return output === null ? endpoint.bounded(body, (await client.held(id)) - input) : body
}

async function refused({ status, text, attempts }: Refused, { settle }: Way): Promise<ModelAnswer> {
  await settle('failed', NO_USAGE, attempts)
  return { kind: 'whole', status, bytes: Buffer.from(text) }
}

async function whole({ response, attempts }: Begun, way: Way): Promise<ModelAnswer> {
  const { upstream, sent_chars, settle } = way
  const counting = new Counting()
  const read = async () => {
    const bytes = await wholeBody(response)
    counting.receive(bytes.length)
    const said = jsonIn(bytes.toString())
    if (typeof said !== 'object' || said === null) throw notA('JSON object')
    requireNoKey(bytes, upstream)
    counting.take(said)
    return bytes
  }
  const bytes = await read().catch(async (error: unknown) => {
    throw await brokenOff(error, way, counting, attempts)
  })
  await settle('completed', counting.whole(sent_chars), attempts)
  return { kind: 'whole', status: 200, bytes }
}

/** What a provider streams, event by event, byte by byte as it is; but for what only the hub has asked for. */
async function* passed({ response, attempts }: Begun, way: Way): AsyncGenerator<Buffer> {
  const { call, upstream, sent_chars, settle } = way
  const counting = new Counting()
  const splitter = new EventSplitter()
  const kept = (events: ReturnType<EventSplitter['take']>) =>
    events.flatMap(({ bytes, data }) => {
      requireNoKey(bytes, upstream)
      counting.receive(data?.length ?? 0)
      const said = data?.includes('"usage"') ? jsonIn(data) : null
      counting.take(said)
      return said !== null && call.endpoint.isUnasked(call.body, said) ? [] : [bytes]
    })
  let last: readonly Buffer[] = []
  let isOver = false
  try {
    for await (const chunk of response.body ?? []) yield* kept(splitter.take(chunk))
    last = kept(splitter.rest())
    isOver = true
  } catch (error) {
    isOver = true
    throw await brokenOff(error, way, counting, attempts)
  } finally {
    // Who does not take it to its end has left.
    if (!isOver) await settle('cancelled', counting.partial(sent_chars), attempts)
  }
  await settle('completed', counting.whole(sent_chars), attempts)
  yield* last
}

/** Settles an answer that did not come to its end; returns what is told of it. */
async function brokenOff(error: unknown, way: Way, counting: Counting, attempts: number): Promise<Error> {
  const usage = counting.partial(way.sent_chars)
  await way.settle(way.signal.aborted ? 'cancelled' : 'failed', usage, attempts)
  const failure = failureOfFetch(error, way.upstream, usage)
  isSettled.add(failure)
  return failure
}

function requireNoKey(bytes: Buffer, { apiKey }: Upstream): void {
  if (bytes.includes(apiKey)) throw notA('JSON object')
}

interface Ended {
  readonly outcome: 'completed' | 'failed' | 'cancelled'
  readonly usage: UsageReport
  readonly attempts: number
}

/** Records what a call used, or gives its reservation back where it used nothing. */
async function settled(
  id: string,
  { userId, tokenId, isLimited, record }: CallingClient,
  { model }: Asked,
  { endpoint, body, tool }: ModelCall,
  { outcome, usage, attempts }: Ended
): Promise<void> {
  if (outcome !== 'completed' && usage.promptTokens + usage.completionTokens === 0) {
    if (isLimited) await record({ type: 'ReleaseLlmTurn', id })
    return
  }
  const origin: CallOrigin = {
    interface: endpoint.name,
    ...(tool !== null && { tool }),
    ...(attempts > 1 && { attempts })
  }
  const step = {
    ...{ userId, tokenId, model: model.id, provider: model.provider, ...usage, ...origin },
    ...{ isNewTurn: true, hadToolCalls: false, messageCount: endpoint.messages(body), outcome }
  }
  await record({ type: 'RecordLlmStep', id, step })
}
