import type { AnswerOf, HubClient, MethodOf, OperationOf, Path, RequestOptions, Schemas } from '@collections-hub/client'
import { computed, type Signal, signal } from '@preact/signals'
import {
  blockedText,
  ENDED_ELSEWHERE,
  NOT_ENDED,
  type Refusal,
  refusedText,
  sessionOverText,
  signedOutText
} from '../model/signingIn.js'
import { BY_COOKIE, type Failure, failureOf, hubOf } from './hub.js'
import { forgetToken, isSharedToken, type KeptToken, keepToken, keptToken, whenShared } from './keptToken.js'
import { go, linkTo, route } from './route.js'
import { ofTab } from './storage.js'

export type Identity = Schemas['Session']

/** Who looks. The token is kept for all tabs of the browser until somebody signs out, or for this tab alone. */
type SessionState =
  | { readonly is: 'closed'; readonly reason?: string }
  | { readonly is: 'opening'; readonly failure?: Failure }
  | { readonly is: 'open'; readonly identity: Identity; readonly hub: HubClient }

const RETRY_MS = 2000

const state = signal<SessionState>({ is: 'closed' })
/** Who is signed in, where that was asked since then. */
const newest = signal<Identity | null>(null)
const leaving = new Set<() => void>()
/** The token that the tab goes by; empty for none. */
let currentToken = ''

export const session = computed(() => state.value)

/** The client of whoever is signed in. Views are only there while somebody is; what they had begun by then is aborted. */
export function hub(): HubClient {
  if (state.value.is !== 'open') throw new DOMException('Nobody is signed in.', 'AbortError')
  return state.value.hub
}

type Options<O> = object extends RequestOptions<O> ? [RequestOptions<O>?] : [RequestOptions<O>]

/** What the hub answers to whoever is signed in, for who needs nothing of its headers. */
export async function ask<P extends Path, M extends MethodOf<P>>(
  method: M,
  path: P,
  ...options: Options<OperationOf<P, M>>
): Promise<AnswerOf<OperationOf<P, M>>> {
  return (await hub().request(method, path, ...options)).body
}

/** Who is signed in, as the hub told last. */
export function identity(): Identity {
  if (state.value.is !== 'open') throw new Error('Nobody is signed in.')
  return newest.value ?? state.value.identity
}

/** The tenant that a hub is which has no others: nobody has given that a name. */
const ITSELF = '__default__'

/** Whether the hub has a name of its own, which is told to who is signed in. */
export const isNamed = computed(() => state.value.is === 'open' && identity().tenantId !== ITSELF)

/** What the hub is called. */
export const hubName = computed(() => (isNamed.value ? identity().hub.name : 'Collections Hub'))

/** How often that was asked. */
let renewals = 0

/** Asks anew who is signed in and what they may: somebody may have changed it. What is known stays where the hub does not answer. */
export async function renewIdentity(): Promise<void> {
  const mine = ++renewals
  const before = state.peek()
  if (before.is !== 'open') return
  const { body } = await before.hub.request('GET', '/auth/session').catch(() => ({ body: null }))
  const now = state.peek()
  if (body && mine === renewals && now.is === 'open' && now.hub === before.hub) newest.value = body
}

const role = computed(() => (state.value.is === 'open' ? identity().user.exactRole : null))

export const isAdmin = computed(() => role.value === 'admin')
/** Whether they see records: administrators of accounts and auditors see none. */
export const seesRecords = computed(() => role.value === 'admin' || role.value === 'user')
/** Whether they manage accounts, and groups. */
export const managesPeople = computed(() => role.value === 'admin' || role.value === 'accountAdmin')
/** Whether they read the audit. */
export const readsAudit = computed(() => role.value === 'admin' || role.value === 'auditor')

/** Whether they manage an account of this role: administrators all, those of accounts the ones of users. */
export const manages = (one: Pick<Identity['user'], 'exactRole'>): boolean =>
  isAdmin.value || (managesPeople.value && one.exactRole === 'user')

/** Has `forget` called when the session ends, so that nothing of it is left for whoever comes next. */
export function whenLeaving(forget: () => void): void {
  leaving.add(forget)
}

/** A value that is again what it was at first when the session ends. */
export function ofSession<T>(first: T): Signal<T> {
  const value = signal(first)
  whenLeaving(() => {
    value.value = first
  })
  return value
}

/** Where a provider leads back to whoever has signed in. */
const SIGNED_IN = 'signed-in'
const WANTED_KEY = 'hub.wanted'

/** Keeps where the tab is while somebody signs in with a provider, which leads elsewhere: they come back there. */
export const keepWanted = (): void => ofTab.setItem(WANTED_KEY, location.hash)

function takeWanted(): string {
  const wanted = ofTab.getItem(WANTED_KEY)
  ofTab.removeItem(WANTED_KEY)
  return wanted || linkTo([])
}

/** Opens the session that the tab had before it was reloaded, or that all tabs share, if there is one; and follows what other tabs do. */
export function openSession(): void {
  if (route.value.path[0] === SIGNED_IN) {
    keepToken({ token: BY_COOKIE, tenant: '' }, true)
    go(takeWanted(), { replace: true })
  }
  const kept = keptToken()
  if (kept) void open(kept)
  whenShared(() => {
    const now = keptToken()
    if (now?.token === currentToken) return
    // With a reason: what is typed here and not saved is not given up by what is done in another tab.
    if (currentToken !== '') end(currentToken, ENDED_ELSEWHERE)
    if (now) void open(now)
  })
}

/** The tenant that this tab was last signed in to; empty where none was named. */
export function lastTenant(): string {
  return keptToken()?.tenant ?? ''
}

/**
 * Signs in with a token, at the tenant that is named if there is one: for all tabs of the browser, or for this one alone. Where the hub
 * does not answer it is asked again until it does, or refuses.
 */
export async function signIn(given: string, named: string, isShared: boolean): Promise<void> {
  const kept = { token: given.trim(), tenant: named.trim() }
  keepToken(kept, isShared)
  await open(kept, true)
}

/** `isGiven` where somebody has just given the token: it is not kept then where it leads nowhere. */
async function open({ token, tenant }: KeptToken, isGiven = false): Promise<void> {
  const refused = (why: Refusal) => {
    if (state.value.is === 'closed') return
    if (token === BY_COOKIE) return end(token, sessionOverText(why))
    end(token, state.value.is === 'open' ? signedOutText(why) : refusedText(token, why))
  }
  const client = hubOf(token, refused, tenant)
  currentToken = token
  state.value = { is: 'opening' }
  while (state.value.is === 'opening' && currentToken === token) {
    try {
      const { body } = await client.request('GET', '/auth/session')
      if (currentToken === token) state.value = { is: 'open', identity: body, hub: client }
    } catch (error) {
      if (currentToken !== token) return
      const failure = failureOf(error)
      // The hub refuses a token by 401, and ends the session then. Whatever else comes may be of what stands before it, and pass.
      if (failure.status === 429) return end(token, blockedText(failure.retryAfter_ms ?? null, Date.now()), isGiven)
      if (failure.status >= 400 && failure.status < 500) return end(token, failure.message, isGiven)
      state.value = { is: 'opening', failure }
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }
}

/** Signs in with another token at the same tenant; nothing of whoever was signed in is left. */
export function changeTo(token: string): void {
  const tenant = lastTenant()
  const isShared = isSharedToken()
  end(currentToken)
  void signIn(token, tenant, isShared)
}

/** Ends the session here; one that the browser keeps ends at the hub too, and at the provider where that offers it. */
export async function signOut(): Promise<void> {
  const before = state.peek()
  const isKept = currentToken === BY_COOKIE
  end(currentToken)
  if (!isKept || before.is !== 'open') return
  try {
    const { location } = (await before.hub.request('POST', '/auth/sign-out')).body
    if (location !== null) window.location.assign(location)
  } catch (error) {
    const { message } = failureOf(error)
    if (state.peek().is === 'closed') state.value = { is: 'closed', reason: `${NOT_ENDED} ${message}` }
  }
}

/** Ends the session of a token, which is forgotten unless it may be good again; nothing where the tab has another one by now. */
function end(token: string, reason?: string, isForgotten = true): void {
  if (currentToken !== token) return
  currentToken = ''
  if (isForgotten && keptToken()?.token === token) forgetToken()
  newest.value = null
  state.value = { is: 'closed', ...(reason !== undefined && { reason }) }
  for (const forget of leaving) forget()
}
