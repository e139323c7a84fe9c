import { randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Caller } from '../../commands/context.js'
import { hasExpired, tokensTable } from '../../commands/people/token/table.js'
import { usersTable } from '../../commands/people/user/table.js'
import { callerOf, knownToken, type TokenRow } from '../../queries/callers.js'
import type { Hub } from '../app/hub.js'
import type { HubConfig } from '../config/types.js'
import { errors, HubError } from '../errors.js'
import { systemOrigin } from '../ledger/ledger.js'
import { timeText } from '../lib/clock.js'
import { boundedText, LIMITS } from '../limits.js'
import { sha256 } from '../log/chain.js'
import type { ReadStore } from '../storage/storage.js'
import {
  type Counter,
  type FailuresWith,
  throttleKey,
  throttleKeyOfAddress,
  throttleKeyOfInvitations,
  throttleKeyOfTenants
} from '../throttle/throttle.js'
import { cookieNames, cookieOf } from './cookies.js'
import { type Quota, rateLimitHeaders } from './rateLimit.js'
import { isNowhere, type Showing } from './tenant.js'

/** So many addresses' worth of failures one address may have at all tenants together. */
const TENANTS_TIMES = 10

/** Who sent a request, and with which token. */
export interface AuthenticatedCaller {
  readonly caller: Caller
  readonly token: TokenRow
  /** True for an administrator who works on records as a user. */
  readonly isEditor?: true
}

/** Whether an administrator works on records, as a user with access to all of them: `client.adminDataApi`. */
export function mayEdit({ role }: Caller, { client }: Pick<HubConfig, 'client'>): boolean {
  return role === 'admin' && client.adminDataApi
}

/** What is looked at of a request to find who sent it, and of the hub that serves it. */
export type IncomingRequest = Pick<FastifyRequest, 'headers' | 'method' | 'ip' | 'id' | 'namedTenant'> & {
  readonly hub: Pick<Hub, 'ledger' | 'throttle' | 'signIn'> & { readonly config: Pick<HubConfig, 'redis'> }
}

/**
 * Finds the account behind a request's bearer token (sections 3 and 5 of the interface): 401 when there is none, 429 while
 * the address is blocked for that token, 503 when the throttle store or the database does not answer.
 * Failures are also counted by address alone, up to a higher number, so that guesses which change are held up as well; that
 * ceiling refuses nobody whose token is known, and does not count what a browser has kept of a session that is over.
 * The caches are as new as the log when this resolves.
 */
export async function authenticate(request: IncomingRequest): Promise<AuthenticatedCaller> {
  const { throttle, ledger, config } = request.hub
  const secret = secretOf(request)
  const hash = secret === null ? null : sha256(secret)
  const key = throttleKey(request.ip, hash)
  const [{ blocked, failures }] = await Promise.all([throttle.check(key), ledger.readModel.current()])
  const own = { key, policy: config.redis, failuresWith: 'oneSecret' } as const
  if (blocked) throw turnedAway(request.hub, own)
  const token = hash === null || isNowhere(request) ? null : await knownToken(ledger.readModel, hash)
  const now = () => timeText(ledger.now())
  const caller = await callerOf(ledger.readModel, token, now)
  if (!token || !caller) {
    const ceiling = { ...config.redis, maxFailures: config.redis.maxFailuresPerAddress }
    // A session that is over is no guess: browsers come back with it by themselves, and many may share an address.
    const isSession = token !== null && request.headers.authorization === undefined
    const counters: readonly LoginCounter[] = [
      own,
      ...(isSession
        ? []
        : [{ key: throttleKeyOfAddress(request.ip), policy: ceiling, failuresWith: 'anySecret' } as const])
    ]
    const counts = await countFailure(request, [...counters, ...ofAnyTenant(request)])
    throw (await whyNot(token, now, ledger.readModel)).withHeaders(
      rateLimitHeaders(counters.map((one, i) => quotaOf(one, counts[i] ?? 0)))
    )
  }
  if (failures > 0) await throttle.clear(key)
  ledger.uses.note(token.id)
  return { caller, token }
}

/** What is told to whoever shows a token that lets nobody in. */
async function whyNot(token: TokenRow | null, now: () => string, read: Pick<ReadStore, 'get'>): Promise<HubError> {
  if (!token) return errors.unauthorized()
  if (token.revokedAt !== null) return errors.tokenRevoked()
  if (hasExpired(token, now())) return errors.tokenExpired()
  const user = await read.get(usersTable, token.userId)
  return user && user.disabledAt !== null ? errors.tokenOfDisabled() : errors.unauthorized()
}

/** Whoever names one tenant after another would have the failures of each: so those at all of them are counted as well. */
function ofAnyTenant({ namedTenant, ip, hub: { config } }: IncomingRequest): readonly LoginCounter[] {
  if (!namedTenant) return []
  const policy = { ...config.redis, maxFailures: config.redis.maxFailuresPerAddress * TENANTS_TIMES }
  return [{ key: throttleKeyOfTenants(ip), policy, failuresWith: 'anySecret' }]
}

const ticketQuery = z.object({ ticket: boundedText(LIMITS.secret) })

/**
 * Finds the account behind the ticket in the URL of a request that has no Authorization header; where there is none, behind its token.
 * 401 for a ticket that is unknown, used or over: it is counted nowhere, since nobody guesses 256 bits in half a minute, and browsers
 * come back by themselves with a ticket that they have used.
 */
export async function authenticateByTicket(request: FastifyRequest): Promise<AuthenticatedCaller> {
  const { success, data } = ticketQuery.safeParse(request.query)
  if (!success || request.headers.authorization !== undefined) return authenticate(request)
  const { hub, ticketOf } = request
  const { throttle, ledger } = hub
  const taken = ticketOf ?? throttle.tickets.take(sha256(data.ticket))
  const [tokenId] = await Promise.all([taken, ledger.readModel.current()])
  const token = tokenId === null || isNowhere(request) ? null : await ledger.readModel.get(tokensTable, tokenId)
  const caller = await callerOf(ledger.readModel, token, () => timeText(ledger.now()))
  if (!token || !caller) throw errors.unauthorized()
  ledger.uses.note(token.id)
  return { caller, token }
}

/** What a request shows that is meant for a tenant: the secret of its token, or its ticket, which is taken then. Null for neither. */
export async function shownBy(request: FastifyRequest, { throttle }: Pick<Hub, 'throttle'>): Promise<Showing> {
  const { headers, method, query, routeOptions } = request
  if (headers.authorization !== undefined) {
    const secret = bearerToken(headers.authorization)
    return secret === null ? null : { kind: 'token', hash: sha256(secret) }
  }
  const { success, data } = ticketQuery.safeParse(query)
  if (!success || method !== 'GET' || !routeOptions.config.takesTicket) return null
  request.ticketOf = await throttle.tickets.take(sha256(data.ticket))
  return request.ticketOf === null ? null : 'ticket'
}

/**
 * The secret that a request shows: its token; else what its browser keeps for who has signed in there, which a page of another site
 * cannot have it change anything with: 403.
 */
function secretOf({ headers, method, hub: { signIn } }: IncomingRequest): string | null {
  if (headers.authorization !== undefined || !signIn) return bearerToken(headers.authorization)
  const kept = cookieOf(headers.cookie, cookieNames(signIn.base).session)
  if (kept !== null && method !== 'GET' && method !== 'HEAD' && !isSameOrigin(headers, signIn.base))
    throw errors.crossSite()
  return kept
}

/** True where the browser says that a page of the hub itself sends a request; every browser of these years says it one way or the other. */
function isSameOrigin({ origin, 'sec-fetch-site': site }: IncomingRequest['headers'], base: URL): boolean {
  return site === undefined ? origin === base.origin : site === 'same-origin'
}

/** Exactly one token behind the scheme, in whatever case; anything else counts as no token. */
export function bearerToken(header: string | undefined): string | null {
  return /^bearer +(\S+)$/i.exec(header?.trim() ?? '')?.[1] ?? null
}

/** Where a failed authentication is counted; `failuresWith` says which failures the key counts. */
export interface LoginCounter extends Counter {
  readonly failuresWith: FailuresWith
}

/** What is left of the failures that a counter takes. */
function quotaOf({ policy, failuresWith }: LoginCounter, failures: number, resetSeconds?: number): Quota {
  const isOfAddress = failuresWith === 'anySecret'
  return {
    name: isOfAddress ? 'failed-authentications-of-address' : 'failed-authentications',
    quota: policy.maxFailures,
    windowSeconds: policy.windowSeconds,
    left: policy.maxFailures - failures,
    ...(resetSeconds !== undefined && { resetSeconds })
  }
}

/** The refusal of somebody who has failed too often, as this counts, which is counted itself. */
function turnedAway({ throttle, config }: IncomingRequest['hub'], by: LoginCounter): HubError {
  const { blockSeconds } = config.redis
  throttle.turnedAway(by.failuresWith)
  const quota = quotaOf(by, by.policy.maxFailures, blockSeconds)
  return errors.tooManyRequests(blockSeconds).withHeaders(rateLimitHeaders([quota]))
}

/**
 * Counts a failed authentication under its keys, or throws 429 where one of them is blocked. Each block that begins with it
 * is kept in the log, with the address it came from. Returns how many failures each key has now.
 */
async function countFailure(
  { hub, ip, id: requestId }: IncomingRequest,
  counters: readonly LoginCounter[]
): Promise<readonly number[]> {
  const { refused, blocks, counts } = await hub.throttle.fail(counters)
  // The first was looked at just before: what is blocked is the last.
  const last = counters.at(-1)
  if (refused && last) throw turnedAway(hub, last)
  const begun = counters.filter(({ key }) => blocks.includes(key))
  await Promise.all(
    begun.map(({ failuresWith, policy }) => {
      const data = { failuresWith, blockedSeconds: policy.blockSeconds }
      const origin = { ...systemOrigin, address: ip, requestId }
      return hub.ledger.run({ type: 'RecordLoginBlocked', id: randomUUID(), data }, origin)
    })
  )
  return counts
}

/**
 * Runs `work` for somebody without a token, unless their address has tried too many secrets: 429 then, and 503 when the
 * throttle store or the database does not answer. An unknown or spent secret counts as a failure, a malformed one does not;
 * a success forgets none: whoever holds one invitation may not guess others for it. Of guesses that are tried together only
 * as many are answered as are allowed. The key is the invitations' own, so that nothing else is blocked by it.
 */
export async function throttledByAddress<T>(request: IncomingRequest, work: () => Promise<T>): Promise<T> {
  const { throttle, ledger, config } = request.hub
  const key = throttleKeyOfInvitations(request.ip)
  const counter = { key, policy: config.redis, failuresWith: 'invitations' } as const
  const [{ blocked }] = await Promise.all([throttle.check(key), ledger.readModel.current()])
  if (blocked) throw turnedAway(request.hub, counter)
  try {
    return await work()
  } catch (error) {
    const isGuess = error instanceof HubError && (error.status === 404 || error.status === 410)
    if (isGuess) await countFailure(request, [counter, ...ofAnyTenant(request)])
    throw error
  }
}
