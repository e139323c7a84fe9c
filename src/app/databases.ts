import { statSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { schemaState } from '../../migrations/migrate.js'
import { tables } from '../../projections/index.js'
import type { Scratch } from '../../projections/verify.js'
import type { DbConfig, HubConfig, ImageStorageConfig } from '../config/types.js'
import { headsOf } from '../ledger/lostEnds.js'
import { releaseOf, remedyFor, unlessClosed } from '../ledger/release.js'
import { makePrivate } from '../lib/files.js'
import type { Head } from '../log/event.js'
import { blobsOfTwo } from '../storage/blobs.js'
import type { BlobStore, Storage } from '../storage/storage.js'
import { tellingWaits } from '../storage/waiting.js'
import { counted } from '../throttle/counted.js'
import { headFiles } from '../throttle/headFiles.js'
import { createMemoryThrottle } from '../throttle/memory.js'
import { type CountedThrottle, type Throttle, ThrottleUnavailable } from '../throttle/throttle.js'

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

/** False where the database of a configuration is a file that is not there, which whoever opens it would make. */
export function isThere(db: DbConfig): boolean {
  try {
    return db.driver !== 'sqlite' || statSync(db.path, { throwIfNoEntry: false }) !== undefined
  } catch {
    // It may not be looked at, as by another account: whoever opens it is told why.
    return true
  }
}

/** Says what an operator has to do before the hub can start. */
export class NotReady extends Error {
  override readonly name = 'NotReady'
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
 * Where it is told how far logs in the database of a configuration have come, for a command that is no hub. Where it cannot be
 * asked `notice` is told, and nothing is known: an operator can do what there is to do without Redis.
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
