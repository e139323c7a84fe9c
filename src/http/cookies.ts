import { parseCookie, type SetCookie, stringifySetCookie } from 'cookie'
import { LIMITS } from '../limits.js'

/**
 * What browsers keep for the hub: who is signed in, a sign-in on its way, which browser it is that a program has led here, and what is
 * shown to the provider when somebody signs out.
 */
export interface HubCookies {
  readonly session: string
  readonly signIn: string
  readonly browser: string
  readonly leaving: string
}

// With this prefix a browser takes it from this host alone, over TLS alone, for all paths: no neighbour can put one of their own there.
const SECURE: HubCookies = {
  session: '__Host-hub_session',
  signIn: '__Host-hub_sign_in',
  browser: '__Host-hub_browser',
  // Not for all paths: it is long, and of use at one. What a neighbour puts there is not sealed.
  leaving: '__Secure-hub_leaving'
}
const PLAIN: HubCookies = {
  session: 'hub_session',
  signIn: 'hub_sign_in',
  browser: 'hub_browser',
  leaving: 'hub_leaving'
}

// A link of another site leads here with them.
const OF_SIGN_IN = { path: '/', sameSite: 'lax' } as const

/** What the cookies of a hub at this address are called. */
export function cookieNames(base: URL): HubCookies {
  return base.protocol === 'https:' ? SECURE : PLAIN
}

/** The value of a cookie that a browser has sent; null where it has sent none. */
export function cookieOf(header: string | undefined, name: string): string | null {
  if (header === undefined || header.length > LIMITS.headers.max) return null
  return parseCookie(header)[name] ?? null
}

/** For so long a browser keeps a session that is over: it lets nobody in, and whoever comes back with it is told why. */
const KEPT_OVER_MS = 7 * 24 * 3_600_000

/** The header that has a browser keep who is signed in until a time: no page reads it, and no other site sends it. */
export function sessionCookie(base: URL, secret: string, until: Date): string {
  const expires = new Date(until.getTime() + KEPT_OVER_MS)
  return cookie(base, { name: cookieNames(base).session, value: secret, path: '/', sameSite: 'strict', expires })
}

/** The header that has a browser keep a sign-in while it is at the provider, from which it comes back by a link. */
export function signInCookie(base: URL, sealed: string, seconds: number): string {
  return cookie(base, { name: cookieNames(base).signIn, value: sealed, ...OF_SIGN_IN, maxAge: seconds })
}

/** The header that has a browser keep what tells it from others, while a program waits for whoever uses it. */
export function browserCookie(base: URL, browser: string, seconds: number): string {
  return cookie(base, { name: cookieNames(base).browser, value: browser, ...OF_SIGN_IN, maxAge: seconds })
}

/** The header that has a browser keep what is shown to the provider when somebody signs out: it comes back there alone. */
export function leavingCookie(base: URL, sealed: string, until: Date): string {
  return cookie(base, { name: cookieNames(base).leaving, value: sealed, ...whereLeaving(base), expires: until })
}

function whereLeaving({ pathname }: URL) {
  return { path: `${pathname.replace(/\/+$/, '')}/auth/sign-out`, sameSite: 'strict' } as const
}

/** The headers that have a browser forget each. */
export const forgotten = {
  session: (base: URL) =>
    cookie(base, { name: cookieNames(base).session, value: '', path: '/', sameSite: 'strict', maxAge: 0 }),
  signIn: (base: URL) => cookie(base, { name: cookieNames(base).signIn, value: '', ...OF_SIGN_IN, maxAge: 0 }),
  leaving: (base: URL) => cookie(base, { name: cookieNames(base).leaving, value: '', ...whereLeaving(base), maxAge: 0 })
}

function cookie(base: URL, settings: SetCookie): string {
  return stringifySetCookie({ ...settings, httpOnly: true, secure: base.protocol === 'https:' })
}
