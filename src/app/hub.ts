import { existsSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { HUB_ID, HUB_NAME } from '../../commands/tenants/hub/events.js'
import { schemaState } from '../../migrations/migrate.js'
import { tables } from '../../projections/index.js'
import type { Scratch } from '../../projections/verify.js'
import type { AuthorizationService } from '../authorization/service.js'
import type { AddressPolicy, DbConfig, HubConfig, ImageStorageConfig } from '../config/types.js'
import { searchFileOf } from '../followers/search/fileName.js'
import { openWebhooks, type Webhooks } from '../followers/webhooks/service.js'
import { type Ledger, openLedger } from '../ledger/ledger.js'
import type { Operator } from '../ledger/operator.js'
import { clockDoubt } from '../lib/clock.js'
import { makePrivate } from '../lib/files.js'
import { UnusableKey } from '../lib/keyFile.js'
import { offeredIds } from '../llm/catalog.js'
import type { Llm } from '../llm/service.js'
import type { Sealing } from '../log/chain.js'
import { withClock } from '../log/clockAhead.js'
import type { Head } from '../log/event.js'
import { guardedBy } from '../log/headGuard.js'
import { type KnownHeads, withKnownHeads } from '../log/knownHeads.js'
import { lossText, UNTIL_ACCEPTED } from '../log/wentBack.js'
import type { SignInService } from '../signIn/service.js'
import { blobsOfTwo } from '../storage/blobs.js'
import type { BlobStore, Storage } from '../storage/storage.js'
import { tellingWaits } from '../storage/waiting.js'
import { counted } from '../throttle/counted.js'
import { headFiles } from '../throttle/headFiles.js'
import { createMemoryThrottle } from '../throttle/memory.js'
import { type CountedThrottle, type Throttle, ThrottleUnavailable } from '../throttle/throttle.js'
import type { SealKeyFiles } from '../trust/audit/sealKey.js'
import { NotSealed, sealedWith, sealingFor, type TimeAfter } from '../trust/seal.js'
import { headsOf, lostEnds } from './lostEnds.js'
import { ofThisRelease, releaseOf, remedyFor, type Superseded, unlessClosed } from './release.js'

/** Everything that serves a request, made from one configuration. */
export interface Hub {
  readonly config: HubConfig
  /** Whose log it is: that of the hub itself, or of one of its tenants. */
  readonly tenant: { readonly id: string; readonly name: string }
  readonly ledger: Ledger
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

/** Says what an operator has to do before the hub can start. */
export class NotReady extends Error {
  override readonly name = 'NotReady'
}

/**
 * Opens the database of a configuration, whatever is in it. Throws `StorageUnavailable`. `notice` is told what it waits for
 * where that is another process.
 */
export async function openStorage(db: DbConfig, notice?: (text: string) => void): Promise<Storage> {
  const storage = await openDriver(db)
  return notice ? tellingWaits(storage, notice) : storage
}

/** Opens the database of a configuration for questions only: it stays as it is, and so do its files. Throws `StorageUnavailable`. */
export async function openStorageToRead(db: DbConfig): Promise<Storage> {
  if (db.driver !== 'sqlite') return openDriver(db)
  const { openSqliteToRead } = await import('../storage/sqlite.js')
  return openSqliteToRead(db.path, db.prefix, tables)
}

async function openDriver(db: DbConfig): Promise<Storage> {
  switch (db.driver) {
    // A client library takes up to a tenth of a second to load, which only those who use it should wait for.
    case 'sqlite': {
      const { openSqlite } = await import('../storage/sqlite.js')
      return openSqlite(db.path, db.prefix, tables)
    }
    case 'postgres': {
      const { openPostgres } = await import('../storage/postgres.js')
      return openPostgres(db, tables)
    }
    case 'mysql': {
      const { openMysql } = await import('../storage/mysql.js')
      return openMysql(db, tables)
    }
    case 'firestore': {
      const { openFirestore } = await import('../storage/firestore.js')
      return openFirestore(db)
    }
  }
}

/** Where images are kept, and where they may still be: the database and a bucket, whichever is which. */
export interface ImagePlaces {
  readonly home: BlobStore
  readonly other: BlobStore
  /** Lets go of the bucket. */
  close(): Promise<void>
}

/** Opens the places of images; null where they are in the database and nowhere else. Asks nobody. */
export async function openImagePlaces(
  { blobs }: Pick<Storage, 'blobs'>,
  { driver, place }: ImageStorageConfig
): Promise<ImagePlaces | null> {
  if (!place) return null
  const { openS3Blobs } = await import('../storage/s3.js')
  const bucket = openS3Blobs(place)
  return driver === 's3'
    ? { home: bucket, other: blobs, close: bucket.close }
    : { home: blobs, other: bucket, close: bucket.close }
}

/** The same storage, with its images where the configuration says. It lets go of both. */
export async function withImagePlaces(storage: Storage, config: ImageStorageConfig): Promise<Storage> {
  const places = await openImagePlaces(storage, config)
  if (!places) return storage
  const close = async () => {
    await Promise.all([storage.close(), places.close()])
  }
  return { ...storage, blobs: blobsOfTwo(places.home, places.other), close }
}

/**
 * Where a verification of the read tables builds its own. On SQLite that is a file beside the database, which is gone afterwards:
 * whoever writes to the hub does not wait for it, and the database does not grow.
 */
export async function openScratch(db: DbConfig, storage: Storage): Promise<Scratch> {
  if (db.driver !== 'sqlite') return { storage, close: async () => {} }
  const path = `${db.path}.${db.prefix}verify`
  const remove = () => Promise.all(['', '-wal', '-shm'].map((end) => rm(path + end, { force: true })))
  await remove()
  // The two beside it get the mode that it has.
  await writeFile(path, '', { mode: 0o600, flag: 'wx' })
  const own = await openStorage({ ...db, path })
  await own.schema.createTables()
  const close = async () => {
    await own.close()
    await remove()
  }
  return { storage: own, close }
}

/**
 * Takes a lock that is a file, on behalf of this process, and returns how to let go of it; null where another process has it. Throws the
 * file system's error where there can be none.
 */
export async function lockFile(path: string): Promise<(() => void) | null> {
  makePrivate(path)
  const { tryLock } = await import('../storage/sqlite/connection.js')
  return tryLock(path)
}

/** Refuses with `NotReady` a database that another version has set up: a newer one, or one before 1.0.0, whose schemas were others. */
export async function requireKnownSchema(storage: Storage): Promise<'current' | 'older'> {
  const state = await schemaState(storage)
  if (state === 'newer')
    throw new NotReady(
      'The database was set up by another version of the hub. Start that version; of one before 1.0.0 a backup is restored: see docs/upgrade.md.'
    )
  return state
}

/** Refuses with `NotReady` a database that is not written under this version's schema and projectors. */
export async function requireCurrentTables(storage: Storage): Promise<void> {
  const head = await storage.head()
  if (releaseOf(head) !== 'current') throw new NotReady(remedyFor(head))
}

/** Refuses with `NotReady` a database that a newer version writes to. */
export function requireNotNewer(head: Head): void {
  if (releaseOf(head) === 'newer') throw new NotReady(`${remedyFor(head)} ${WAY_BACK}`)
}

const WAY_BACK = 'To go back to this one, run `hub projections rebuild`.'

/** False where the database of a configuration is a file that is not there, which whoever opens it would make. */
export function isThere(db: DbConfig): boolean {
  return db.driver !== 'sqlite' || existsSync(db.path)
}

/** Opens a migrated database. Throws `NotReady` when it is not there, or its schema is older or newer than this version knows. */
export async function openReadyStorage(
  { db, storage: images }: Pick<HubConfig, 'db' | 'storage'>,
  notice?: (text: string) => void
): Promise<Storage> {
  if (db.driver === 'sqlite' && !isThere(db))
    throw new NotReady(
      `There is no database at ${db.path}. Run \`hub migrate\` first, or name another file as db.path.`
    )
  const storage = unlessClosed(await withImagePlaces(await openStorage(db, notice), images))
  try {
    if ((await requireKnownSchema(storage)) === 'older')
      throw new NotReady('The database is not set up for this version. Run `hub migrate` first.')
    return storage
  } catch (error) {
    await storage.close()
    throw error
  }
}

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
export async function openReadyLedger(config: HubConfig, options: ReadyLedgerOptions = {}): Promise<Ledger> {
  const { models = () => offeredIds(config), addresses = () => config.audit.address } = options
  const { now = Date.now, notice = () => {}, acceptClock = false, willWrite = false, superseded, operator } = options
  const { acceptsLoss = false, heads } = options
  const opened = await openReadyStorage(config, notice)
  try {
    await requireCurrentTables(opened)
    // A server that does not say how it is set up may serve all the same.
    if (willWrite) for (const text of await advisedOn(opened).catch(() => [])) notice(text)
    const told = heads && !acceptsLoss ? await withKnownHeads(opened, heads, isAlone(config.db), notice) : opened
    const storage = guardedBy(told, ofThisRelease(superseded), withClock(now))
    let isCompared = false
    const timeAfter = (head: Head) => {
      const time = now()
      if (isCompared) return time
      const doubt = clockDoubt(time, head, acceptClock)
      isCompared = true
      if (doubt !== null) notice(doubt)
      return time
    }
    const { guard, sealing } = await writable(storage, config, timeAfter)
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
 * A storage whose heads are those of the holder of the configuration's key, and how its log is continued. Throws
 * `NotReady` where the log and the key do not go together, and what `timeAfter` throws where the log is to be sealed.
 */
export async function writable(
  storage: Storage,
  { audit }: { readonly audit: SealKeyFiles },
  timeAfter: TimeAfter
): Promise<{ readonly guard: Storage; readonly sealing: Sealing }> {
  try {
    const sealing = await sealingFor(storage, audit, timeAfter)
    return { guard: guardedBy(storage, sealedWith(sealing)), sealing }
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

/** Opens the throttle store. Throws `ThrottleUnavailable` when Redis does not answer. */
export async function openThrottle(config: StoreConfig): Promise<CountedThrottle> {
  return counted(await openThrottleStore(config))
}

type StoreConfig = Pick<HubConfig, 'redis' | 'audit'>

async function openThrottleStore({ redis, audit }: StoreConfig): Promise<Throttle> {
  if (redis.driver === 'memory') return createMemoryThrottle({ heads: headFiles(audit.headDirectory) })
  const { connectRedisThrottle } = await import('../throttle/redis.js')
  return connectRedisThrottle(redis)
}

/**
 * Where it is told how far logs in the database of a configuration have come, for a command that is no hub. Where it cannot be asked `notice` is told, and nothing
 * is known: an operator can do what there is to do without Redis.
 */
export async function openHeads(
  config: StoreConfig & Pick<HubConfig, 'db'>,
  notice: (text: string) => void
): Promise<Pick<Throttle, 'heads' | 'close'>> {
  try {
    const { heads, close } = await openThrottleStore(config)
    return { heads: headsOf(() => heads, config.db), close }
  } catch (error) {
    if (!(error instanceof ThrottleUnavailable)) throw error
    notice(`${error.message} Whether the database holds all that hubs have written is not known.`)
    return createMemoryThrottle()
  }
}

/** What webhooks are sent with by a hub that is about to serve. Throws `NotReady` where their key cannot be used. */
export function usableWebhooks(config: HubConfig): Webhooks | null {
  try {
    return openWebhooks(config)
  } catch (error) {
    throw error instanceof UnusableKey ? new NotReady(error.message) : error
  }
}
