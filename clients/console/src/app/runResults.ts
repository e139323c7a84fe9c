import type { Schemas } from '@collections-hub/client'
import { hub, identity, isAdmin } from './session.js'

export type RunResult = Schemas['RunResult']
export type RunResultWithPayload = Schemas['RunResultWithPayload']

/** The newest run results, and whether there are older ones. */
export interface RunResults {
  readonly results: readonly RunResult[]
  readonly hasOlder: boolean
}

/** So many are listed at most, and so many more each time somebody asks for older ones. */
export const LISTED_MOST = 1000
export const LISTED_STEP = 100

/** The run results that the caller has shared; for administrators those of everybody. */
export async function loadRunResults(limit: number, signal: AbortSignal): Promise<RunResults> {
  const path = isAdmin.value ? '/admin/run-results' : '/run-results'
  const { body } = await hub().request('GET', path, { query: { limit }, signal })
  return { results: body.runResults, hasOlder: typeof body.nextCursor === 'string' }
}

/** A run result with its payload, whoever has shared it. */
export async function loadRunResult(id: string, signal: AbortSignal): Promise<RunResultWithPayload> {
  const path = isAdmin.value ? '/admin/run-results/{id}' : '/run-results/{id}'
  return (await hub().request('GET', path, { path: { id }, signal })).body
}

export async function deleteRunResult(id: string): Promise<void> {
  const path = isAdmin.value ? '/admin/run-results/{id}' : '/run-results/{id}'
  await hub().request('DELETE', path, { path: { id } })
}

/** Whether the caller may delete it: who has shared it may, and administrators. */
export const mayDelete = ({ createdByUserId }: RunResult): boolean =>
  isAdmin.value || createdByUserId === identity().user.id
