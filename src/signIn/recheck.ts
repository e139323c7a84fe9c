import { z } from 'zod'
import type { IdentityCommand } from '../../commands/people/identity/decide.js'
import { isInForce, tokensTable } from '../../commands/people/token/table.js'
import { HubError } from '../errors.js'
import { type Ledger, systemOrigin } from '../ledger/ledger.js'
import { timeText } from '../lib/clock.js'
import { LIMITS } from '../limits.js'
import type { StateEntry } from '../storage/storage.js'
import { isStillLetIn } from './claims.js'
import type { SignInService } from './service.js'

const PREFIX = 'sign-in-'
const MINUTE_MS = 60_000
/** So many sessions are asked of together, so that one slow answer does not hold up all others. */
const AT_ONCE = 8
/** Longer than the command takes that begins a session. */
const ON_ITS_WAY_MS = 10_000
/** How far the clocks of hubs on one database may be apart. */
const APART_MS = 60_000

/** A session of which the provider is asked again: beside the log, since its refresh token is a secret and changes with each use. */
const rechecked = z.object({
  /** The id of the provider in the configuration. */
  provider: z.string(),
  /** What the account is found by: the sha256 of issuer and subject. */
  key: z.string(),
  subject: z.string(),
  /** Encrypted. */
  refreshToken: z.string(),
  /** When it was asked last, in milliseconds. */
  askedAt: z.number()
})
type Rechecked = z.infer<typeof rechecked>

/** Somebody who has signed in, with what the provider is asked again by. */
export interface Recheckable {
  readonly provider: string
  readonly key: string
  readonly subject: string
  readonly refreshToken: string
}

/** Has the provider asked again of the session with this token from now on. */
export async function keepForRecheck(
  { storage: { state }, now }: Pick<Ledger, 'storage' | 'now'>,
  signIn: SignInService,
  tokenId: string,
  { provider, key, subject, refreshToken }: Recheckable
): Promise<void> {
  const sealed = await (await signIn.seals()).sealText(refreshToken)
  const kept: Rechecked = { provider, key, subject, refreshToken: sealed, askedAt: now() }
  await state.put(PREFIX + tokenId, JSON.stringify(kept), null)
}

/** What has come to light of providers this time. */
interface Findings {
  /** Those that do not answer. */
  readonly silent: Set<string>
  /** Those that do not say in time who somebody is. */
  readonly silentOfClaims: Set<string>
  /** Those that have answered, so that they are asked of several sessions together. */
  readonly answering: Set<string>
  /** Of each other that is asked, the end of that: others wait for it, since it may be silent. */
  readonly trying: Map<string, Promise<void>>
  readonly ended: AbortSignal | undefined
}

/**
 * Asks providers again of the sessions that they were last asked of `recheckMinutes` ago, and ends those which they do not stand by any
 * more, and all that the accounts have of those whom they let in no more. Of several hubs one asks. Of a provider that does not answer
 * nothing is concluded, and nothing more is asked of it this time. What fails holds up no other session, is tried again the next time,
 * and rejects in the end. It ends early once `ended` is aborted.
 */
export async function recheckSessions(
  ledger: Ledger,
  signIn: SignInService,
  recheckMinutes: number,
  ended?: AbortSignal
): Promise<void> {
  const found: Findings = {
    silent: new Set(),
    silentOfClaims: new Set(),
    answering: new Set(),
    trying: new Map(),
    ended
  }
  const failures: unknown[] = []
  const running = new Set<Promise<unknown>>()
  for await (const entry of entriesIn(ledger)) {
    if (ended?.aborted) break
    const one = recheck(ledger, signIn, recheckMinutes, entry, found)
      .then((end) => end && carriedOut(ledger, entry, end))
      .catch((error) => failures.push(error))
      .finally(() => running.delete(one))
    running.add(one)
    if (running.size >= AT_ONCE) await Promise.race(running)
  }
  await Promise.all(running)
  if (failures.length > 0) throw failures[0]
}

/** Forgets of the sessions that are over what providers would be asked again by: the subject, and the refresh token. */
export async function forgetEnded(ledger: Asked): Promise<void> {
  for await (const entry of entriesIn(ledger))
    if (!((await isOn(ledger, entry)) || (await isOnItsWay(ledger, entry))))
      await ledger.storage.state.delete(entry.key)
}

type Asked = Pick<Ledger, 'storage' | 'readModel' | 'now'>

async function* entriesIn({ storage: { state } }: Asked): AsyncGenerator<StateEntry, void> {
  for (let after = ''; ; ) {
    const page = await state.list(PREFIX, after, LIMITS.statePage.max)
    yield* page
    const last = page.at(-1)
    if (!last) return
    after = last.key
  }
}

async function isOn({ readModel, now }: Asked, { key }: StateEntry): Promise<boolean> {
  const token = await readModel.get(tokensTable, key.slice(PREFIX.length))
  return token !== null && isInForce(token, timeText(now()))
}

/** True where a session may be about to begin: what it is asked again by is kept before its token is. */
async function isOnItsWay({ readModel, now }: Asked, { key, text }: StateEntry): Promise<boolean> {
  const askedAt = sessionIn(text)?.askedAt ?? 0
  return (
    isWithin(ON_ITS_WAY_MS, askedAt, now()) && (await readModel.get(tokensTable, key.slice(PREFIX.length))) === null
  )
}

/** True until so long after a moment. One that lies ahead further than the clocks of hubs may be apart counts as long ago. */
function isWithin(span_ms: number, moment: number, now: number): boolean {
  return now < moment + span_ms && now > moment - APART_MS
}

/** The session in an entry; null where it cannot be read. */
function sessionIn(text: string): Rechecked | null {
  try {
    return rechecked.parse(JSON.parse(text))
  } catch {
    return null
  }
}

/** Asks of a session, where it is due. The command that ends it; null where it goes on. */
async function recheck(
  ledger: Ledger,
  signIn: SignInService,
  minutes: number,
  entry: StateEntry,
  found: Findings
): Promise<IdentityCommand | null> {
  const { storage, now } = ledger
  const session = sessionIn(entry.text)
  const isKnown = signIn.providers.some(({ config }) => config.id === session?.provider)
  // Another hub may have a provider that this one does not have, or not yet, and asks of it first.
  const span_ms = (isKnown ? 1 : 2) * minutes * MINUTE_MS
  if (session && isWithin(span_ms, session.askedAt, now())) return null
  if (!(await isOn(ledger, entry))) {
    await storage.state.delete(entry.key)
    return null
  }
  if (!session) return endOf(entry)
  const { provider } = session
  for (let first = found.trying.get(provider); first; first = found.trying.get(provider)) await first
  if (found.silent.has(provider) || found.ended?.aborted) return null
  const asked = askOnce(ledger, signIn, entry, session, found)
  if (!found.answering.has(provider)) {
    const over = () => void found.trying.delete(provider)
    found.trying.set(provider, asked.then(over, over))
  }
  return asked
}

/** Asks of a session, unless another hub asks already. The command that ends it; null where it goes on. */
async function askOnce(
  { storage, now }: Ledger,
  signIn: SignInService,
  entry: StateEntry,
  session: Rechecked,
  found: Findings
): Promise<IdentityCommand | null> {
  const asking = { ...session, askedAt: now() }
  const mark = await storage.state.put(entry.key, JSON.stringify(asking), entry.mark)
  if (mark === null) return null
  const { ends = null, refreshToken } = await ask(signIn, session, found)
  // It stays due until it has ended. The refresh token before this one may be good no more.
  const { askedAt } = ends ? session : asking
  const sealed = refreshToken === null ? session.refreshToken : await (await signIn.seals()).sealText(refreshToken)
  if (ends || refreshToken !== null)
    await storage.state.put(entry.key, JSON.stringify({ ...session, refreshToken: sealed, askedAt }), mark)
  const whole = { type: 'EndSignIns', key: session.key, session: null, reason: 'notAllowed' } as const
  return ends && (ends === 'notAllowed' ? whole : endOf(entry))
}

/** The command that ends a session alone. */
function endOf({ key }: StateEntry): IdentityCommand {
  return { type: 'EndSession', of: { tokenId: key.slice(PREFIX.length) } }
}

/** Ends a session, and forgets what providers were asked again by. */
async function carriedOut({ run, storage }: Ledger, { key }: StateEntry, end: IdentityCommand): Promise<void> {
  await run(end, systemOrigin)
  await storage.state.delete(key)
}

/** What follows from what a provider says: why the session ends, and what it is asked by the next time (null for the same). */
interface Told {
  readonly ends?: 'provider' | 'notAllowed'
  readonly refreshToken: string | null
}

const toldNothing: Told = { refreshToken: null }

async function ask(
  signIn: SignInService,
  { provider: id, subject, refreshToken: sealed }: Rechecked,
  { silent, silentOfClaims, answering }: Findings
): Promise<Told> {
  const provider = signIn.providers.find(({ config }) => config.id === id)
  const secret = await (await signIn.seals()).openText(sealed)
  // Of a provider that no configuration has any more nobody stands by it.
  if (!provider || secret === null) return { ...toldNothing, ends: 'provider' }
  try {
    const again = await provider.refresh(secret, subject, silentOfClaims.has(id))
    if (again === 'ended') return { ...toldNothing, ends: 'provider' }
    const { claims, refreshToken } = again
    if (claims === 'silent') silentOfClaims.add(id)
    answering.add(id)
    const isOut = claims !== null && claims !== 'silent' && !isStillLetIn(claims, provider.config)
    return isOut ? { refreshToken, ends: 'notAllowed' } : { refreshToken }
  } catch (error) {
    if (!(error instanceof HubError)) throw error
    const known = error.status === 503 ? silent : answering
    known.add(id)
    return toldNothing
  }
}
