import type { Caller } from '../../commands/context.js'
import { budgetsOf } from '../../commands/llm/budget/counting.js'
import { periodOf } from '../../commands/llm/months.js'
import { llmReservationsTable } from '../../commands/llm/table.js'
import { tokensUsed } from '../../queries/llm.js'
import type { Hub } from '../app/hub.js'
import { errors } from '../errors.js'
import type { ChatClient } from '../llm/reservation.js'
import type { Llm } from '../llm/service.js'
import { clientLeft } from '../net/sse.js'
import { monthlyTokens, rateLimitHeaders } from './rateLimit.js'
import type { RouteCall } from './route.js'

/** Whoever calls, as calls of models need it. */
export function clientOf({ hub, caller, token, request, reply, origin }: RouteCall<unknown, unknown>): ChatClient {
  const onBehalfOf = { userId: caller.userId, tokenId: token.id }
  const system = { tokenId: null, address: request.ip, requestId: request.id, onBehalfOf }
  return {
    userId: caller.userId,
    tokenId: token.id,
    isLimited: caller.llmMonthlyTokenLimit !== null,
    budgets: (models) => budgetsOf({ ...onBehalfOf, models }, hub.ledger.readModel),
    sent_bytes: request.bodyBytes ?? 0,
    left: clientLeft(reply.raw),
    now: hub.ledger.now,
    async reserve(command) {
      const { row } = await hub.ledger.run(command, origin, { table: llmReservationsTable, id: command.id })
      return Number(row?.tokens ?? 0)
    },
    record: (command) => hub.ledger.run(command, system)
  }
}

/** Says how much of the month is left, where the account has a limit. What was used is in the cache: steps read and write it. */
export async function setBudgetHeaders({ hub: { ledger }, caller, reply }: RouteCall<unknown, unknown>): Promise<void> {
  const { userId, llmMonthlyTokenLimit: limit } = caller
  if (limit === null) return
  const now_ms = ledger.now()
  const used = await tokensUsed(ledger.readModel, userId, periodOf(new Date(now_ms).toISOString()))
  if (reply.raw.headersSent) return
  reply.raw.setHeaders(new Map(Object.entries(rateLimitHeaders([monthlyTokens(limit, used, now_ms)]))))
}

/** What models are served with; 503 where none are. */
export function configured({ llm }: Hub): Llm {
  if (!llm) throw errors.llmNotConfigured()
  return llm
}

/** True for an account that may use models at all. */
export function hasLlm({ role, llmAccess }: Caller): boolean {
  return role === 'user' && llmAccess
}

/** The same for an account that may use some; 403 for one that may not. */
export function llmFor(hub: Hub, caller: Caller): Llm {
  const llm = configured(hub)
  if (!hasLlm(caller)) throw errors.forbidden()
  return llm
}

/** True where an account may use the model of this id. */
export function mayUse({ llmModels }: Caller, id: string): boolean {
  return llmModels.includes('*') || llmModels.includes(id)
}

/** Whether somebody may use the model of this id, as far as that may change while it is asked. */
export function mayAsk(id: string): (caller: Caller) => boolean {
  return (caller) => hasLlm(caller) && mayUse(caller, id)
}

/** The model that was asked for: 503, then 403 for the account, `unknown` for what is not on offer, 403 for a model that is not allowed. */
export function chosen(hub: Hub, caller: Caller, id: string, unknown = errors.modelNotOffered()) {
  const llm = llmFor(hub, caller)
  const model = llm.models.find((one) => one.id === id)
  if (!model) throw unknown
  if (!mayUse(caller, id)) throw errors.modelNotAllowed()
  return { llm, model }
}
