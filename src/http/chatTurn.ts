import { randomUUID } from 'node:crypto'
import type { CatalogModel } from '../config/types.js'
import { LIMITS } from '../limits.js'
import { type ChatRequest, startsTurn } from '../llm/messages.js'
import type { Outcome } from '../llm/outcome.js'
import type { Call } from './route.js'

const CHARS_PER_TOKEN = 4
/** What an answer is expected to take, beside the question. */
const ANSWER_TOKENS = 1000
/** The most that a reservation outlives the time that its step may take. */
const MAX_GRACE_MS = 60_000

/** A step that was let through. `settle` records what it used, or gives the reservation back where it used nothing. */
export interface AdmittedStep {
  settle(outcome: Outcome): Promise<void>
}

type ChatCall = Pick<Call<unknown, unknown>, 'hub' | 'caller' | 'token' | 'request' | 'run'>

/**
 * Lets a chat step through, or refuses it with 402 where the month's limit is used up. A continuation, whose last message is
 * a tool's result, is let through where this token has begun a turn in the last hour that may wait for it, so that what has
 * begun can end; everything else is admitted only if what is used and what is reserved by other turns stays under the limit
 * (section 8, Limits).
 */
export async function admit(call: ChatCall, model: CatalogModel, request: ChatRequest): Promise<AdmittedStep> {
  const { hub, caller, token } = call
  const id = randomUUID()
  const isLimited = caller.llmMonthlyTokenLimit !== null
  if (isLimited) {
    const goesOn = request.messages.at(-1)?.role === 'tool'
    const since = goesOn ? new Date(hub.ledger.now() - LIMITS.turnAge.max).toISOString() : null
    const tokens = Math.ceil((call.request.bodyBytes ?? 0) / CHARS_PER_TOKEN) + ANSWER_TOKENS
    const lifetime_ms = reservationLifetime_ms(hub.llm?.stepTimeoutSeconds ?? 0)
    const expiresAt = new Date(hub.ledger.now() + lifetime_ms).toISOString()
    await call.run({ type: 'ReserveLlmTurn', id, tokens, expiresAt, since })
  }
  // What was used is recorded even if the token was revoked meanwhile: the system account does it.
  const agent = { tokenId: null, address: call.request.ip, requestId: call.request.id }
  return {
    async settle(outcome) {
      const { usage } = outcome
      const isUsed = outcome.kind === 'done' || usage.promptTokens + usage.completionTokens + usage.totalTokens > 0
      if (!isUsed) {
        if (isLimited) await hub.ledger.run({ type: 'ReleaseLlmTurn', id }, agent)
        return
      }
      const step = {
        userId: caller.userId,
        tokenId: token.id,
        model: model.id,
        provider: model.provider,
        promptTokens: usage.promptTokens,
        completionTokens: usage.completionTokens,
        totalTokens: usage.totalTokens,
        isNewTurn: startsTurn(request),
        hadToolCalls: outcome.kind === 'done' && outcome.toolCalls.length > 0,
        messageCount: request.messages.length,
        outcome: outcome.kind === 'done' ? ('completed' as const) : outcome.kind,
        estimated: usage.estimated
      }
      await hub.ledger.run({ type: 'RecordLlmStep', id, step }, agent)
    }
  }
}

/** How long a turn stays reserved when nobody settles it: twice the time that its step may take, but at most a minute longer. */
export function reservationLifetime_ms(stepTimeoutSeconds: number): number {
  const step_ms = stepTimeoutSeconds * 1000
  return step_ms + Math.min(step_ms, MAX_GRACE_MS)
}
