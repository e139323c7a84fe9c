import type { Schemas } from '@collections-hub/client'
import type { Budget } from '../model/budgets.js'
import { unlessRefused } from './hub.js'
import { ask } from './session.js'

/** The budgets that count what is used with the session; none where it may use no models, or where there are no models. */
export function loadOwnBudgets(signal: AbortSignal): Promise<readonly Budget[]> {
  const load = async () => (await ask('GET', '/llm/budgets', { signal })).budgets
  return unlessRefused(['forbidden', 'llm-not-configured'], [], load)
}

/** The models that the hub offers; none where they are not configured, which it answers with 503 however often it is asked. */
export function offeredModels(signal: AbortSignal): Promise<Schemas['Models']['models']> {
  return unlessRefused(
    ['llm-not-configured'],
    [],
    async () => (await ask('GET', '/admin/llm/models', { signal })).models
  )
}
