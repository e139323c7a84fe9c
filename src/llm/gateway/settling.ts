import { randomUUID } from 'node:crypto'
import type { Price } from '../../../commands/llm/budget/amounts.js'
import type { CallOrigin } from '../../../commands/llm/events.js'
import { errors } from '../../errors.js'
import type { CallOutcome } from '../callCounts.js'
import type { ChatClient } from '../chat.js'
import { countingIn, dearest, keepReserved, LEAST_OUTPUT, reservedUntil, USUAL_OUTPUT } from '../reservation.js'
import type { Target } from '../targets.js'
import type { UsageReport } from '../usage.js'
import { type Body, cannotBeCounted, mostInput } from './bound.js'
import type { Asked, ModelCall } from './call.js'
import type { Most } from './counting.js'

/** Who has answered a call, and how often somebody was asked until then. */
export interface AnsweredBy {
  readonly target: Target
  readonly attempts: number
}

/** How a call ended, what it used, and who has answered it, or was asked last. Null where nobody was asked. */
export type Settle = (outcome: CallOutcome, usage: UsageReport, by: AnsweredBy | null) => Promise<void>

/** A call that is let through. */
export interface Admitted {
  /** The call, which can use no more than is reserved. */
  readonly body: Body
  /** What it can use, which is what is reserved of whatever counts it. */
  readonly most: () => Most
  /** To be called however the call ends; the first time counts. */
  readonly settle: Settle
}

/**
 * Lets a call through: one that a limit or budgets count where the most that it can use is left of each, which is reserved until it is
 * settled. 402 where it is not left, 429 while other calls hold it.
 */
export async function admit(client: ChatClient, asked: Asked, call: ModelCall): Promise<Admitted> {
  const id = randomUUID()
  const budgets = await client.budgets(modelsOf(asked))
  const isReserved = client.isLimited || budgets.length > 0
  const refusal = isReserved ? cannotBeCounted(call.body) : null
  if (refusal !== null) throw errors.modelCallRefused(refusal)
  const body = isReserved ? await reserved(id, client, asked, call) : call.body
  const letGo = isReserved ? keepReserved(id, client, asked.targets[0].timeoutSeconds) : () => {}
  const ended = asked.llm.counted(asked.model)
  let isSettled = false
  return {
    body,
    most: () => ({ input: mostInput(call.body), output: call.endpoint.outputBound(body) }),
    async settle(outcome, usage, by) {
      if (isSettled) return
      isSettled = true
      letGo()
      ended(outcome, usage)
      if (by === null) {
        if (isReserved) await client.record({ type: 'ReleaseLlmTurn', id })
        return
      }
      const { id: model } = by.target
      const counted = { budgets: countingIn(budgets, model), price: asked.llm.price(model) }
      await settled(id, client, call, { outcome, usage, ...by, ...counted })
    }
  }
}

/** Reserves what a call can use at most, and returns the call that can use no more. */
async function reserved(id: string, client: ChatClient, asked: Asked, { endpoint, body }: ModelCall) {
  const input = mostInput(body)
  const output = endpoint.outputBound(body)
  const models = modelsOf(asked)
  const command = {
    ...({ type: 'ReserveLlmTurn', id, chat: null } as const),
    ...{ models, price: dearest(asked.llm, models), input },
    tokens: input + (output ?? USUAL_OUTPUT),
    atLeast: input + (output ?? LEAST_OUTPUT),
    expiresAt: reservedUntil(client, asked.targets[0].timeoutSeconds)
  }
  await client.run(command)
  if (output !== null) return body
  // Nothing is held where what counted it was taken away in the same moment.
  const held = await client.held(id)
  return held > 0 ? endpoint.bounded(body, held - input) : body
}

/** The models that may answer a call. */
function modelsOf({ targets }: Asked): readonly string[] {
  return targets.map(({ id }) => id)
}

interface Ended extends AnsweredBy {
  readonly outcome: CallOutcome
  readonly usage: UsageReport
  /** The ids of the budgets that count it, and what the model costs that has answered. */
  readonly budgets: readonly string[]
  readonly price: Price | null
}

/** Records what a call used, which may be nothing. */
async function settled(
  id: string,
  { userId, tokenId, record }: ChatClient,
  { endpoint, body, tool }: ModelCall,
  { outcome, usage, target, attempts, budgets, price }: Ended
): Promise<void> {
  const origin: CallOrigin = {
    interface: endpoint.name,
    ...(tool !== null && { tool }),
    ...(attempts > 1 && { attempts })
  }
  const step = {
    ...{ userId, tokenId, model: target.id, provider: target.provider, ...usage, ...origin },
    ...{ isNewTurn: true, hadToolCalls: false, messageCount: endpoint.messages(body), outcome }
  }
  await record({ type: 'RecordLlmStep', id, step, budgets, price })
}
