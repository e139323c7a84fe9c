import type { FastifyRequest } from 'fastify'
import type { SignInService } from '../../signIn/service.js'
import { cookieNames, cookieOf, keptCookie } from '../cookies.js'

/** The most that every browser keeps in a cookie, without what stands beside the value. */
const COOKIE_CHARACTERS_MAX = 3800

/** A session, and what the provider has signed of it. */
interface SessionIdToken {
  readonly tokenId: string
  readonly idToken: string
}

/**
 * The cookie in which a browser keeps the ID token of a session, which some providers want to see before they end theirs; sealed, so that
 * nobody reads it, with the session that it is of. None where it is too long.
 */
export async function idTokenCookie(
  signIn: SignInService,
  { tokenId, idToken }: SessionIdToken,
  until: Date
): Promise<readonly string[]> {
  const sealed = await (await signIn.seals()).sealText(`${tokenId} ${idToken}`)
  return sealed.length > COOKIE_CHARACTERS_MAX ? [] : [keptCookie(signIn.base, 'leaving', sealed, { expires: until })]
}

/** The ID token that the browser has kept of the session with this token; null where it has kept none of it. */
export async function idTokenOf(
  { headers }: FastifyRequest,
  signIn: SignInService,
  tokenId: string
): Promise<string | null> {
  const sealed = cookieOf(headers.cookie, cookieNames(signIn.base).leaving)
  const text = sealed === null ? null : await (await signIn.seals()).openText(sealed)
  const [session, idToken = null] = text?.split(' ') ?? []
  return session === tokenId ? idToken : null
}
