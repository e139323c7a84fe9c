import type { Change } from '@collections-hub/client'
import { useEffect } from 'preact/hooks'
import { ALONE, SYSTEM_ID } from '../model/records.js'
import { onChange, together } from './live.js'
import { knownOf, type Loadable, loadable } from './loaded.js'
import { ask, isAdmin, seesRecords, whenLeaving } from './session.js'

/** A list that several views share. It is kept up to date while one of them is open. */
interface Kept<T> extends Loadable<T> {
  /** Tells that a view of it is open; gives back what ends that. */
  open(): () => void
}

/** Changes that come together are one question. */
const TOGETHER_MS = 150
/** Models may be used many times a second, and nobody reads sums that quickly. */
const SPENDING_MS = 3000

interface KeptOptions {
  readonly together_ms?: number
  /** Whether the hub answers who is signed in; nobody else asks. */
  readonly isFor?: () => boolean
}

function kept<T>(
  load: (signal: AbortSignal) => Promise<T>,
  kinds: readonly string[],
  { together_ms = TOGETHER_MS, isFor = () => true }: KeptOptions = {}
): Kept<T> {
  const list = loadable(load)
  let views = 0
  const { ask: askSoon, stop } = together(list.reload, together_ms)
  onChange(({ kind }: Change) => {
    if (views > 0 && kinds.includes(kind)) askSoon()
  })
  whenLeaving(() => {
    stop()
    list.clear()
  })
  return {
    ...list,
    open() {
      views++
      // What was known is shown at once, and then what is true now.
      if (views === 1 && isFor()) void list.reload()
      return () => {
        views--
      }
    }
  }
}

/** Every account, with what is stale in its access lists. */
export const users = kept(
  async (signal) => (await ask('GET', '/admin/users', { signal })).users,
  // What is deleted, or back again, makes access lists stale or whole.
  ['user', ...ALONE]
)

/** Every group, by name. */
export const groups = kept(
  async (signal) => (await ask('GET', '/admin/groups', { signal })).groups,
  ['group', ...ALONE]
)

/** Every token, without its secret. */
export const tokens = kept(async (signal) => (await ask('GET', '/admin/tokens', { signal })).tokens, ['token', 'user'])

/** Every invitation, the newest first. */
export const invitations = kept(
  async (signal) => (await ask('GET', '/admin/invitations', { signal })).invitations,
  ['invitation', 'user']
)

/** What each account has used of models this month, and what that cost. */
export const spending = kept(
  async (signal) => (await ask('GET', '/admin/llm/usage', { query: { by: 'user' }, signal })).usage,
  ['llmstep'],
  { together_ms: SPENDING_MS, isFor: () => isAdmin.value }
)

/** Every budget of models, and what is used of it now. Some go with whose they are. */
export const budgets = kept(
  async (signal) => (await ask('GET', '/admin/llm/budgets', { signal })).budgets,
  ['llmbudget', 'llmstep', 'user', 'group', 'token'],
  { together_ms: SPENDING_MS }
)

/** The models that the hub offers. */
export const models = kept(async (signal) => (await ask('GET', '/admin/llm/models', { signal })).models, [], {
  isFor: () => seesRecords.value
})

/** A shared list for as long as the view is there. */
export function useKept<T>(list: Kept<T>): Loadable<T> {
  useEffect(() => list.open(), [list])
  return list
}

/** True for the account that acts for the hub itself. */
export const isSystem = (userId: string): boolean => userId === SYSTEM_ID

/** What to call an account by its id. */
export function nameOfUser(userId: string): string {
  if (isSystem(userId)) return 'The hub itself'
  return knownOf(users)?.find(({ id }) => id === userId)?.name ?? 'Somebody'
}
