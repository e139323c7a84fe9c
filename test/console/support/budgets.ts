import { randomUUID } from 'node:crypto'
import type { Schemas } from '../../../clients/typescript/src/index.js'
import type { ConsoleHub } from './hub.js'
import type { Person, Team } from './seed.js'

type Content = Schemas['CreateLlmBudgetBody']

/** Makes a budget; what is not said is of all of the hub, in tokens, for a month. */
export async function budget({ grace }: Team, over: Partial<Content>): Promise<string> {
  const whole = {
    name: 'Everything',
    subject: 'hub',
    unit: 'tokens',
    period: 'month',
    limit: 100_000,
    ...over
  } as const
  return (await grace.ask.request('POST', '/admin/llm/budgets', { body: whole })).body.id
}

/** Makes a group with one member. */
export async function group({ grace }: Team, name: string, member: Person): Promise<string> {
  const { id } = (await grace.ask.request('POST', '/admin/groups', { body: { name } })).body
  await grace.ask.request('PUT', '/admin/groups/{id}/members/{user}', { path: { id, user: member.id } })
  return id
}

/** Deletes all budgets and groups: each test begins without any. */
export async function withoutBudgets({ grace: { ask } }: Team): Promise<void> {
  for (const { id } of (await ask.request('GET', '/admin/llm/budgets')).body.budgets)
    await ask.request('DELETE', '/admin/llm/budgets/{id}', { path: { id } })
  for (const { id } of (await ask.request('GET', '/admin/groups')).body.groups)
    await ask.request('DELETE', '/admin/groups/{id}', { path: { id } })
}

/** The model that is used. */
export const model = 'claude-sonnet-5-5'
const price = { input: 10, output: 10 }
/** So many tokens are a dollar, read or written. */
export const DOLLAR = 100_000

/** Has somebody use so many tokens, as a call that is over does. */
export function use(
  { run }: ConsoleHub,
  { id: userId }: Person,
  budgets: readonly string[],
  tokens: number
): Promise<void> {
  const said = {
    isNewTurn: true,
    hadToolCalls: false,
    messageCount: 4,
    outcome: 'completed',
    estimated: false
  } as const
  const counts = { promptTokens: tokens, completionTokens: 0, totalTokens: tokens }
  const step = { userId, tokenId: null, model, provider: 'claude', ...counts, ...said }
  return run({ type: 'RecordLlmStep', id: randomUUID(), step, budgets, price })
}

/** Has a call of somebody on its way. */
export async function hold({ hub, clock }: ConsoleHub, { ask }: Person, tokens: number): Promise<void> {
  const tokenId = (await ask.request('GET', '/auth/session')).body.token.id
  const expiresAt = new Date(clock.now() + 60_000).toISOString()
  const turn = { type: 'ReserveLlmTurn', id: randomUUID(), models: [model], tokens, input: tokens, atLeast: 1 } as const
  await hub.ledger.run({ ...turn, price, chat: null, expiresAt }, { tokenId, address: null, requestId: null })
}
