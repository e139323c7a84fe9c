import { errors } from '../../errors.js'
import { giveWay } from '../../lib/turns.js'
import type { CallOutcome } from '../callCounts.js'
import { type ChatClient, LEAST_OUTPUT, Reservation, USUAL_OUTPUT, type UsedStep } from '../reservation.js'
import type { Target } from '../targets.js'
import type { UsageReport } from '../usage.js'
import { type Body, cannotBeCounted, type Images, mostInput } from './bound.js'
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
export async function admit(
  client: ChatClient,
  { llm, model, targets }: Asked,
  call: ModelCall,
  images: Images
): Promise<Admitted> {
  const models = targets.map(({ id }) => id)
  const { timeoutSeconds } = targets[0]
  const reservation = await Reservation.of(client, { models, price: llm.price, timeoutSeconds, chat: null })
  const refusal = reservation.isNeeded ? cannotBeCounted(call.body) : null
  if (refusal !== null) throw errors.modelCallRefused(refusal)
  const isForClaude = targets.every(({ provider }) => provider === 'claude')
  const input = () => mostInput(call.body, isForClaude, images)
  const body = reservation.isNeeded ? await reserved(reservation, call, input) : call.body
  reservation.keep()
  // Whoever answers, it is timed from here on.
  const ended = new Map(targets.map((one) => [one.id, llm.counted(one)]))
  let isSettled = false
  return {
    body,
    most: () => ({ input: input(), output: call.endpoint.outputBound(body) }),
    async settle(outcome, usage, by) {
      if (isSettled) return
      isSettled = true
      ended.get(by?.target.id ?? model.id)?.(outcome, usage)
      if (by === null) await reservation.release()
      else await reservation.settle(by.target, by.attempts, usedBy(call, outcome, usage))
    }
  }
}

/** Reserves what a call can use at most, and returns the call that can use no more. */
async function reserved(reservation: Reservation, { endpoint, body }: ModelCall, most: () => number): Promise<Body> {
  await giveWay()
  const input = most()
  await giveWay()
  const output = endpoint.outputBound(body)
  const [tokens, atLeast] = [input + (output ?? USUAL_OUTPUT), input + (output ?? LEAST_OUTPUT)]
  const held = await reservation.reserve({ input, tokens, atLeast })
  if (output !== null) return body
  return held > 0 ? endpoint.bounded(body, held - input) : body
}

/** What is recorded of a call, which may have used nothing. */
function usedBy({ endpoint, body, tool }: ModelCall, outcome: CallOutcome, usage: UsageReport): UsedStep {
  const origin = { interface: endpoint.name, ...(tool !== null && { tool }) }
  return { ...usage, ...origin, isNewTurn: true, hadToolCalls: false, messageCount: endpoint.messages(body), outcome }
}
