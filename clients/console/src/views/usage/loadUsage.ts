import { HubRequestError, type Schemas } from '@collections-hub/client'
import { hub } from '../../app/session.js'
import type { UsageBy } from '../../model/usage.js'

/** What a month's use of models looks like from one side, and who may use how much. */
export interface Usage {
  readonly report: Schemas['SpendReport']
  readonly byUser: Schemas['SpendReport']
  readonly accounts: readonly { readonly id: string; readonly name: string; readonly limit: number }[]
  /** The models that the hub offers now, where none was used: then it matters whether there are any. */
  readonly offered: readonly string[]
}

const FIELDS = 'id,name,llmAccess,llmMonthlyTokenLimit'

/** Asks for the use of a month. */
export async function loadUsage(month: string, by: UsageBy, signal: AbortSignal): Promise<Usage> {
  const report = async (by: UsageBy) => {
    const { body } = await hub().request('GET', '/admin/llm/usage', { query: { month, by }, signal })
    return body
  }
  const wanted = report(by)
  const [own, byUser, users] = await Promise.all([
    wanted,
    by === 'user' ? wanted : report('user'),
    hub().request('GET', '/admin/users', { query: { fields: FIELDS }, signal })
  ])
  const accounts = users.body.users.flatMap(({ id, name, llmAccess, llmMonthlyTokenLimit: limit }) =>
    llmAccess && limit !== null ? [{ id, name, limit }] : []
  )
  const offered = own.usage.length === 0 ? await offeredModels(signal) : []
  return { report: own, byUser, accounts, offered }
}

/** None where models are not configured, which the hub answers with 503, however often it is asked. */
async function offeredModels(signal: AbortSignal): Promise<readonly string[]> {
  try {
    const { body } = await hub().request('GET', '/admin/llm/models', { signal, attempts: 1 })
    return body.models.map(({ label }) => label)
  } catch (error) {
    if (error instanceof HubRequestError && error.status === 503) return []
    throw error
  }
}
