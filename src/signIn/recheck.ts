import { z } from 'zod'
import { isInForce, tokensTable } from '../../projections/tokens.js'
import { HubError } from '../errors.js'
import { type Ledger, systemOrigin } from '../ledger/ledger.js'
import { timeText } from '../lib/clock.js'
import { LIMITS } from '../limits.js'
import type { StateEntry } from '../storage/storage.js'
import { isStillLetIn } from './claims.js'
import type { SignInService } from './service.js'

const PREFIX = 'sign-in-'
const MINUTE_MS = 60_000
/** Longer than the command takes that begins a session. */
const ON_ITS_WAY_MS = 10_000

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

/**
 * Asks providers again of the sessions that they were last asked of `recheckMinutes` ago, and ends those which they do not stand by any
 * more, and all that the accounts have of those whom they let in no more. Of several hubs one asks. Of a provider that does not answer
 * nothing is concluded, and nothing more is asked of it this time: others wait behind it. It ends early once `ended` is aborted.
 */
export async function recheckSessions(
  ledger: Ledger,
  signIn: SignInService,
  recheckMinutes: number,
  ended?: AbortSignal
): Promise<void> {
  const silent = new Set<string>()
  for await (const entry of entriesIn(ledger)) {
    if (ended?.aborted) return
    await recheck(ledger, signIn, recheckMinutes, entry, silent)
  }
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
  const { askedAt = 0 } = rechecked.safeParse(JSON.parse(text)).data ?? {}
  return now() < askedAt + ON_ITS_WAY_MS && (await readModel.get(tokensTable, key.slice(PREFIX.length))) === null
}

async function recheck(
  ledger: Ledger,
  signIn: SignInService,
  minutes: number,
  entry: StateEntry,
  silent: Set<string>
): Promise<void> {
  const { storage, now } = ledger
  const tokenId = entry.key.slice(PREFIX.length)
  const session = rechecked.parse(JSON.parse(entry.text))
  if (now() < session.askedAt + minutes * MINUTE_MS) return
  if (!(await isOn(ledger, entry))) return storage.state.delete(entry.key)
  if (silent.has(session.provider)) return
  const asking = { ...session, askedAt: now() }
  const mark = await storage.state.put(entry.key, JSON.stringify(asking), entry.mark)
  // Another hub asks already.
  if (mark === null) return
  const answer = await ask(signIn, session)
  if (answer === 'silent') silent.add(session.provider)
  if (answer === 'silent' || answer === 'unclear') return
  if (typeof answer === 'string') {
    const { key } = session
    const alone = { type: 'EndSession', of: { tokenId } } as const
    const whole = { type: 'EndSignIns', key, session: null, reason: 'notAllowed' } as const
    await ledger.run(answer === 'notAllowed' ? whole : alone, systemOrigin)
    return storage.state.delete(entry.key)
  }
  if (answer.refreshToken !== null) {
    const refreshToken = await (await signIn.seals()).sealText(answer.refreshToken)
    await storage.state.put(entry.key, JSON.stringify({ ...asking, refreshToken }), mark)
  }
}

/**
 * What the provider says: why the session ends, or what it is asked by the next time (null for the same); else that it is silent, or
 * says nothing that can be used.
 */
async function ask(signIn: SignInService, { provider: id, subject, refreshToken }: Rechecked) {
  const provider = signIn.providers.find(({ config }) => config.id === id)
  // Of a provider that the configuration does not have any more nobody stands by it.
  if (!provider) return 'provider'
  const secret = await (await signIn.seals()).openText(refreshToken)
  if (secret === null) return 'provider'
  try {
    const again = await provider.refresh(secret, subject)
    if (again === 'ended') return 'provider'
    return again.claims === null || isStillLetIn(again.claims, provider.config) ? again : 'notAllowed'
  } catch (error) {
    if (error instanceof HubError) return error.status === 503 ? 'silent' : 'unclear'
    throw error
  }
}
