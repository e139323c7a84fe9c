import { HUB_ID, HUB_NAME } from '../../commands/tenants/hub/events.js'
import type { AuthorizationService } from '../authorization/service.js'
import type { AddressPolicy, DbConfig, HubConfig } from '../config/types.js'
import { searchFileOf } from '../followers/search/fileName.js'
import { openWebhooks, type Webhooks } from '../followers/webhooks/service.js'
import { lostEnds } from '../ledger/lostEnds.js'
import { ofThisRelease, type Superseded } from '../ledger/release.js'
import { clockDoubt } from '../lib/clock.js'
import { UnusableKey } from '../lib/keyFile.js'
import { offeredIds } from '../llm/catalog.js'
import type { Llm } from '../llm/service.js'
import type { Sealing } from '../log/chain.js'
import { withClock } from '../log/clockAhead.js'
import type { Head, Operator } from '../log/event.js'
import { guardedBy, type HeadGuard } from '../log/headGuard.js'
import { type KnownHeads, withKnownHeads } from '../log/knownHeads.js'
import { lossText, UNTIL_ACCEPTED } from '../log/wentBack.js'
import type { SignInService } from '../signIn/service.js'
import type { Storage } from '../storage/storage.js'
import type { CountedThrottle } from '../throttle/throttle.js'
import type { SealKeyFiles } from '../trust/audit/sealKey.js'
import { NotSealed, sealedWith, sealingFor, type TimeAfter } from '../trust/seal.js'
import { NotReady, openReadyStorage, requireCurrentTables } from './databases.js'
import { type OpenLedger, openLedger } from './openLedger.js'

/** Everything that serves a request, made from one configuration. */
export interface Hub {
  readonly config: HubConfig
  /** Whose log it is: that of the hub itself, or of one of its tenants. */
  readonly tenant: { readonly id: string; readonly name: string }
  readonly ledger: OpenLedger
  readonly throttle: CountedThrottle
  /** Null where the configuration has no LLM. */
  readonly llm: Llm | null
  /** Null where the configuration has no webhooks. */
  readonly webhooks: Webhooks | null
  /** Null where people sign in with tokens alone. */
  readonly signIn: SignInService | null
  /** Null where programs get no tokens by themselves. */
  readonly authorization: AuthorizationService | null
}

/** The tenant that the hub itself is. */
export const ITSELF: Hub['tenant'] = { id: HUB_ID, name: HUB_NAME }

export interface ReadyLedgerOptions {
  /** The ids of the models on offer, by default those of the configuration. */
  readonly models?: () => ReadonlySet<string> | null
  /** How much of a client's address the log keeps, by default what the configuration says. */
  readonly addresses?: () => AddressPolicy
  /** The ledger's clock. */
  readonly now?: () => number
  /** Is told what an operator should know: what is waited for, and what the clock may have wrong. */
  readonly notice?: (text: string) => void
  /** True where somebody has said that the clock is right, however long the log was silent. */
  readonly acceptClock?: boolean
  /** Who gives commands on the host: what the system account does through the ledger is theirs, for the log. */
  readonly operator?: Operator | undefined
  /** True where the log is opened though it went back: for who accepts that. */
  readonly acceptsLoss?: boolean
  /** Where it is told how far logs in this database have come; without it nobody is told, and nobody asked. */
  readonly heads?: KnownHeads
  /** True where the clock is compared with the log at once, and not before the first write. */
  readonly willWrite?: boolean
  /** Is told once, when another release of the hub has taken the database over: nothing can be read or written from then on. */
  readonly superseded?: (superseded: Superseded) => void
}

/**
 * Opens the ledger of a migrated database. Throws `NotReady` when its schema is older or newer than this version knows, its
 * read tables were built by another version, or the log and the key do not go together, and `ClockRefused` where the log is to be sealed and the clock cannot be right. What is written
 * through it is refused with `ClockRefused` where the clock cannot be right.
 */
export async function openReadyLedger(config: HubConfig, options: ReadyLedgerOptions = {}): Promise<OpenLedger> {
  const { models = () => offeredIds(config), addresses = () => config.audit.address } = options
  const { now = Date.now, notice = () => {}, acceptClock = false, willWrite = false, superseded, operator } = options
  const { acceptsLoss = false, heads } = options
  const opened = await openReadyStorage(config, notice)
  try {
    await requireCurrentTables(opened)
    // A server that does not say how it is set up may serve all the same.
    if (willWrite) for (const text of await advisedOn(opened).catch(() => [])) notice(text)
    const told = heads && !acceptsLoss ? await withKnownHeads(opened, heads, isAlone(config.db), notice) : opened
    let isCompared = false
    const timeAfter = (head: Head) => {
      const time = now()
      if (isCompared) return time
      const doubt = clockDoubt(time, head, acceptClock)
      isCompared = true
      if (doubt !== null) notice(doubt)
      return time
    }
    const guards = [ofThisRelease(superseded), withClock(now)]
    const { guard, sealing } = await writable(told, config, timeAfter, guards)
    if (!acceptsLoss) await requireNothingLost(guard, heads)
    const ledger = await openLedger(guard, models, addresses, now, sealing, searchFileOf(config.db))
    let isTold = false
    ledger.readModel.onMove(() => {
      const { wentBack } = ledger.readModel
      if (!wentBack || isTold) return
      isTold = true
      notice(wentBack.message)
      // So that whoever opens the log next is told too. Where that fails it is tried again with the next question.
      void ledger.mayBeginAnew().catch(() => {})
    })
    const compare = () => void timeAfter(ledger.readModel.head)
    if (willWrite) compare()
    // Its clock has been compared, and it runs nothing as an operator: there is nothing to do before each command.
    if (willWrite && !operator) return ledger
    return {
      ...ledger,
      async run(command, origin, answer) {
        compare()
        return ledger.run(command, operator && origin.tokenId === null ? { ...origin, operator } : origin, answer)
      }
    }
  } catch (error) {
    await opened.close()
    throw error
  }
}

/**
 * A storage under these guards, whose heads are those of the holder of the configuration's key, and how its log is continued. Throws
 * `NotReady` where the log and the key do not go together, and what `timeAfter` throws where the log is to be sealed.
 */
export async function writable(
  storage: Storage,
  { audit }: { readonly audit: SealKeyFiles },
  timeAfter: TimeAfter,
  guards: readonly HeadGuard[] = []
): Promise<{ readonly guard: Storage; readonly sealing: Sealing }> {
  try {
    const sealing = await sealingFor(guardedBy(storage, ...guards), audit, timeAfter)
    return { guard: guardedBy(storage, ...guards, sealedWith(sealing)), sealing }
  } catch (error) {
    throw error instanceof NotSealed || error instanceof UnusableKey ? new NotReady(error.message) : error
  }
}

/** What an operator should change about the server of a database, as texts. */
export async function advisedOn(server: Pick<Storage, 'circumstances'>): Promise<readonly string[]> {
  const all = await server.circumstances()
  return all.flatMap(({ text, advice }) => (advice === undefined ? [] : [`The database: ${text} ${advice}`]))
}

/** True for a database of which another one does not take the place while it is open. */
const isAlone = ({ driver }: DbConfig): boolean => driver === 'sqlite' || driver === 'firestore'

/** Refuses with `NotReady` a log that does not hold what hubs have known of it, until an operator has accepted that. */
export async function requireNothingLost(storage: Storage, heads?: KnownHeads): Promise<void> {
  const [lost] = await lostEnds(storage, heads)
  if (lost) throw new NotReady(`${lossText(lost, await storage.head())} ${UNTIL_ACCEPTED}`)
}

/** What webhooks are sent with by a hub that is about to serve. Throws `NotReady` where their key cannot be used. */
export function usableWebhooks(config: HubConfig): Webhooks | null {
  try {
    return openWebhooks(config)
  } catch (error) {
    throw error instanceof UnusableKey ? new NotReady(error.message) : error
  }
}
