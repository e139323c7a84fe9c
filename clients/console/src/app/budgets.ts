import type { Schemas } from '@collections-hub/client'
import type { Budget } from '../model/budgets.js'
import type { UsageBy } from '../model/usage.js'
import { unlessRefused } from './hub.js'
import { hub } from './session.js'

/** Makes a budget of models. */
export async function createBudget(body: Schemas['CreateLlmBudgetBody']): Promise<void> {
  await hub().request('POST', '/admin/llm/budgets', { body })
}

/** Changes the name and the limit of a budget: what is used of it stays used. */
export async function changeBudget(id: string, body: Schemas['UpdateLlmBudgetBody']): Promise<void> {
  await hub().request('PUT', '/admin/llm/budgets/{id}', { path: { id }, body })
}

export async function deleteBudget(id: string): Promise<void> {
  await hub().request('DELETE', '/admin/llm/budgets/{id}', { path: { id } })
}

/** The budgets that count what is used with the session; none where it may use no models, or where there are no models. */
export function loadOwnBudgets(signal: AbortSignal): Promise<readonly Budget[]> {
  return unlessRefused(['forbidden', 'llm-not-configured'], [], async () => {
    const { body } = await hub().request('GET', '/llm/budgets', { signal })
    return body.budgets
  })
}

/** The models that the hub offers; none where they are not configured, which it answers with 503 however often it is asked. */
export function offeredModels(signal: AbortSignal): Promise<Schemas['Models']['models']> {
  return unlessRefused(['llm-not-configured'], [], async () => {
    const { body } = await hub().request('GET', '/admin/llm/models', { signal })
    return body.models
  })
}

/** What models were used for in a month as the hub writes it into a file of this media type. */
export async function usageFile(month: string, by: UsageBy, accept: string): Promise<Uint8Array<ArrayBuffer>> {
  return (await hub().download('/admin/llm/usage', { query: { month, by }, accept })).body.bytes
}
