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

// A link of another site leads here with those that are lax.
const SAME_SITE = { session: 'strict', signIn: 'lax', browser: 'lax', leaving: 'strict' } as const

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
  return keptCookie(base, 'session', secret, { expires: new Date(until.getTime() + KEPT_OVER_MS) })
}

/** The header that has a browser keep one of them, for so many seconds or until a time. */
export function keptCookie(
  base: URL,
  which: keyof HubCookies,
  value: string,
  end: Pick<SetCookie, 'maxAge' | 'expires'>
): string {
  const path = which === 'leaving' ? `${base.pathname.replace(/\/+$/, '')}/auth/sign-out` : '/'
  const [name, sameSite] = [cookieNames(base)[which], SAME_SITE[which]]
  return stringifySetCookie({ name, value, path, sameSite, ...end, httpOnly: true, secure: base.protocol === 'https:' })
}

/** The header that has a browser forget one. */
export function forgottenCookie(base: URL, which: keyof HubCookies): string {
  return keptCookie(base, which, '', { maxAge: 0 })
}
