import { randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { id } from '../../../commands/content.js'
import { isInForce, tokensTable } from '../../../commands/people/token/table.js'
import { noAccess } from '../../../commands/people/user/events.js'
import { tokenByHash } from '../../../queries/callers.js'
import type { Hub } from '../../app/hub.js'
import { errors } from '../../errors.js'
import { systemOrigin } from '../../ledger/ledger.js'
import { issueToken } from '../../ledger/secrets.js'
import { timeText } from '../../lib/clock.js'
import { sha256 } from '../../log/chain.js'
import type { ReadModel } from '../../readmodel/readModel.js'
import { browserName } from '../../signIn/browserName.js'
import { isLetIn, isStillLetIn, nameIn, rulesFor } from '../../signIn/claims.js'
import type { Provider, SignedIn } from '../../signIn/provider.js'
import { keepForRecheck } from '../../signIn/recheck.js'
import { ON_ITS_WAY_SECONDS, type OnItsWay } from '../../signIn/sealed.js'
import type { SignInService } from '../../signIn/service.js'
import { keyFound } from '../../signIn/subject.js'
import { cookieNames, cookieOf, keptCookie, sessionCookie } from '../cookies.js'
import { idTokenCookie } from './leaving.js'

const HOUR_MS = 3_600_000

export const byProvider = z.object({ id: id.describe('The id of the provider.') })

/** A browser on its way to a provider: where it is sent, and what it keeps. It comes back to be bound to an account, or to sign in. */
export async function begun(
  signIn: SignInService,
  provider: Provider,
  { bindTo, replaces }: Pick<OnItsWay, 'bindTo' | 'replaces'>
) {
  const { url, check } = await provider.begin()
  const seals = await signIn.seals()
  const sealed = await seals.seal({ ...check, provider: provider.config.id, bindTo, replaces })
  return { location: url.href, cookie: keptCookie(signIn.base, 'signIn', sealed, { maxAge: ON_ITS_WAY_SECONDS }) }
}

/** What signs people in; 404 where nothing does. */
export function serviceOf({ signIn }: Pick<Hub, 'signIn'>): SignInService {
  if (!signIn) throw errors.providerUnknown()
  return signIn
}

/** What a session at a provider is found by; null where the provider does not say which. Two may call theirs the same. */
export function sessionKeyOf({ issuer, session }: Pick<SignedIn, 'issuer' | 'session'>): string | null {
  return session === null ? null : sha256(JSON.stringify([issuer, session]))
}

const named = z.object({ provider: z.string() })

/** The id of the provider in the body of an identity's row. */
export function providerIn(body: string): string {
  return named.parse(JSON.parse(body)).provider
}

/** What signs people in, and the provider in the path of a request; 404 where there is none. */
export function asked({ hub }: Pick<FastifyRequest, 'hub'>, { id }: z.infer<typeof byProvider>) {
  const signIn = serviceOf(hub)
  return { signIn, provider: signIn.provider(id) }
}

/** What the browser has kept of this sign-in; 400 where it has kept none, or one of another provider. */
export async function broughtBack(
  { headers }: FastifyRequest,
  signIn: SignInService,
  provider: Provider
): Promise<OnItsWay> {
  const kept = cookieOf(headers.cookie, cookieNames(signIn.base).signIn)
  const onItsWay = kept === null ? null : await (await signIn.seals()).open(kept)
  if (onItsWay?.provider !== provider.config.id) throw errors.signInLost()
  return onItsWay
}

async function subjectOf({ config }: Provider, who: SignedIn, readModel: ReadModel) {
  const { issuer, subject, claims } = who
  const key = await keyFound(readModel, who)
  return { provider: config.id, issuer, subject, name: nameIn(claims, config, subject), key }
}

/** The token of the session that a browser has at the hub; null where it has none. */
export async function sessionBefore({ hub, headers }: FastifyRequest, { base }: SignInService): Promise<string | null> {
  const kept = cookieOf(headers.cookie, cookieNames(base).session)
  return kept === null ? null : ((await tokenByHash(hub.ledger.readModel, sha256(kept)))?.id ?? null)
}

/**
 * Gives somebody a session; returns the cookies that it is kept in. The session that the browser had when it left, or has now, ends
 * in the same commit: from the site of another a browser comes back without its cookie.
 */
export async function signedIn(
  request: FastifyRequest,
  signIn: SignInService,
  provider: Provider,
  who: SignedIn,
  { replaces }: Pick<OnItsWay, 'replaces'>
): Promise<readonly string[]> {
  const { hub, ip, id: requestId, headers } = request
  const { config, base } = signIn
  const { ledger } = hub
  const subject = await subjectOf(provider, who, ledger.readModel)
  const origin = { ...systemOrigin, address: ip, requestId }
  if (!isLetIn(who.claims, provider.config)) {
    if (!isStillLetIn(who.claims, provider.config))
      await ledger.run({ type: 'EndSignIns', key: subject.key, session: null, reason: 'notAllowed' }, origin)
    throw errors.notLetIn(subject.name)
  }
  const { expiresInDaysMax = Number.POSITIVE_INFINITY } = hub.config.tokens
  const lifetime_ms = Math.min(config.sessionHours, expiresInDaysMax * 24) * HOUR_MS
  const expiresAt = timeText(ledger.now() + lifetime_ms)
  const { secret, token } = issueToken(hub.config.tokens, ledger.now(), { expiresAt })
  const { refreshToken } = who
  if (config.recheckMinutes !== undefined && refreshToken !== null)
    await keepForRecheck(ledger, signIn, token.tokenId, { ...subject, refreshToken })
  const account = { ...noAccess, name: subject.name, role: 'user' } as const
  await ledger.run(
    {
      type: 'SignIn',
      subject,
      session: sessionKeyOf(who),
      replaces: (await sessionBefore(request, signIn)) ?? replaces,
      token: { ...token, expiresAt },
      tokenName: browserName(headers['user-agent']),
      newIds: { identity: randomUUID(), user: randomUUID() },
      account: provider.config.firstSignIn === 'create' ? account : null,
      rules: rulesFor(who.claims, provider.config)
    },
    origin
  )
  const until = new Date(expiresAt)
  const leaving = await idTokenCookie(signIn, { tokenId: token.tokenId, idToken: who.idToken }, until)
  return [sessionCookie(base, secret, until), ...leaving]
}

/** Binds somebody to the account that began it, on whose behalf it is kept. */
export async function bound(
  { hub, ip, id: requestId }: FastifyRequest,
  provider: Provider,
  who: SignedIn,
  tokenId: string
): Promise<void> {
  const { ledger } = hub
  const token = await ledger.readModel.get(tokensTable, tokenId)
  if (!token || !isInForce(token, timeText(ledger.now()))) throw errors.signInLost()
  const command = {
    type: 'BindIdentity',
    id: randomUUID(),
    userId: token.userId,
    subject: await subjectOf(provider, who, ledger.readModel)
  } as const
  await ledger.run(command, { tokenId, address: ip, requestId })
}
