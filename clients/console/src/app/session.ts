import type { HubClient, Schemas } from '@collections-hub/client'
import { computed, signal } from '@preact/signals'
import { blockedText, refusedText, signedOutText } from '../model/signingIn.js'
import { type Failure, failureOf, hubOf } from './hub.js'

export type Identity = Schemas['Session']

/** Who looks. The token is kept for this tab alone, and forgotten with it. */
export type SessionState =
  | { readonly is: 'closed'; readonly reason?: string }
  | { readonly is: 'opening'; readonly failure?: Failure }
  | { readonly is: 'open'; readonly identity: Identity; readonly hub: HubClient }

const TOKEN_KEY = 'hub.token'
const TENANT_KEY = 'hub.tenant'
const RETRY_MS = 2000

const state = signal<SessionState>({ is: 'closed' })
/** Who is signed in, where that was asked since then. */
const newest = signal<Identity | null>(null)
const leaving = new Set<() => void>()

export const session = computed(() => state.value)

/** The client of whoever is signed in. Views are only there while somebody is. */
export function hub(): HubClient {
  if (state.value.is !== 'open') throw new Error('Nobody is signed in.')
  return state.value.hub
}

/** Who is signed in, as the hub told last. */
export function identity(): Identity {
  if (state.value.is !== 'open') throw new Error('Nobody is signed in.')
  return newest.value ?? state.value.identity
}

/** Asks anew who is signed in and what they may: somebody may have changed it. What is known stays where the hub does not answer. */
export async function renewIdentity(): Promise<void> {
  const asked = hub()
  const { body } = await asked.request('GET', '/auth/session').catch(() => ({ body: null }))
  const now = state.peek()
  if (body && now.is === 'open' && now.hub === asked) newest.value = body
}

export const isAdmin = computed(() => state.value.is === 'open' && state.value.identity.user.role === 'admin')

/** Has `forget` called when the session ends, so that nothing of it is left for whoever comes next. */
export function whenLeaving(forget: () => void): void {
  leaving.add(forget)
}

/** Opens the session that the tab had before it was reloaded, if it had one. */
export function openSession(): void {
  const token = sessionStorage.getItem(TOKEN_KEY)
  if (token !== null) void signIn(token, lastTenant())
}

/** The tenant that this tab was last signed in to; empty where none was named. */
export function lastTenant(): string {
  return sessionStorage.getItem(TENANT_KEY) ?? ''
}

/** Signs in with a token, at the tenant that is named if there is one. Where the hub does not answer it is asked again until it does, or refuses. */
export async function signIn(given: string, named = ''): Promise<void> {
  const [token, tenant] = [given.trim(), named.trim()]
  const refused = (isRevoked: boolean) => {
    if (state.value.is === 'closed') return
    end(token, state.value.is === 'open' ? signedOutText(isRevoked) : refusedText(token, isRevoked))
  }
  const client = hubOf(token, refused, tenant)
  state.value = { is: 'opening' }
  sessionStorage.setItem(TOKEN_KEY, token)
  if (tenant === '') sessionStorage.removeItem(TENANT_KEY)
  else sessionStorage.setItem(TENANT_KEY, tenant)
  while (state.value.is === 'opening' && sessionStorage.getItem(TOKEN_KEY) === token) {
    try {
      const { body } = await client.request('GET', '/auth/session')
      if (sessionStorage.getItem(TOKEN_KEY) === token) state.value = { is: 'open', identity: body, hub: client }
    } catch (error) {
      if (sessionStorage.getItem(TOKEN_KEY) !== token) return
      const failure = failureOf(error)
      if (failure.status === 429) return end(token, blockedText(failure.retryAfter_ms ?? null, Date.now()))
      if (failure.status >= 400 && failure.status < 500) return end(token, failure.message)
      state.value = { is: 'opening', failure }
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }
}

/** Signs in with another token at the same tenant; nothing of whoever was signed in is left. */
export function changeTo(token: string): void {
  const tenant = lastTenant()
  signOut()
  void signIn(token, tenant)
}

export function signOut(): void {
  sessionStorage.removeItem(TENANT_KEY)
  end(sessionStorage.getItem(TOKEN_KEY))
}

/** Ends the session of a token, unless the tab has another one by now. */
function end(token: string | null, reason?: string): void {
  if (sessionStorage.getItem(TOKEN_KEY) !== token) return
  sessionStorage.removeItem(TOKEN_KEY)
  newest.value = null
  state.value = { is: 'closed', ...(reason !== undefined && { reason }) }
  for (const forget of leaving) forget()
}
