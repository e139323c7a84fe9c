import { randomInt } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { SYSTEM_ID } from '../../commands/people/user/system.js'
import { migrate } from '../../migrations/migrate.js'
import { isThere, NotReady, openImagePlaces, openStorage, requireKnownSchema } from '../app/databases.js'
import { openReadyLedger } from '../app/hub.js'
import { rebuildInThread } from '../app/rebuildThread.js'
import { ensureSystemAccount, migrateDatabase } from '../app/start.js'
import { OWN_DATABASE } from '../config/tenants.js'
import type { HubConfig, ImageStorageConfig } from '../config/types.js'
import { HubError } from '../errors.js'
import { removeSearchFile } from '../followers/search/fileName.js'
import { outdated } from '../ledger/rebuild.js'
import { ClockRefused } from '../lib/clock.js'
import { makeFolder } from '../lib/files.js'
import type { Storage } from '../storage/storage.js'
import { configOfTenant, type TenantAt } from './config.js'

const PLACE_LENGTH = 8
const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
const RADIX = 36

/** A place that no tenant has or has had: a letter, then letters and digits. */
export function drawPlace(): string {
  const first = LETTERS.charAt(randomInt(LETTERS.length))
  return first + Array.from({ length: PLACE_LENGTH - 1 }, () => randomInt(RADIX).toString(RADIX)).join('')
}

/**
 * Makes a log at a place by `fill`, and a tenant of it by `settle`: both, or nothing. Where nobody knows whether the tenant was made,
 * since the answer of the hub's database was lost, its log stays and `unknown` is called. Throws what either of them throws.
 */
export async function makeTenant(
  hub: HubConfig,
  at: TenantAt,
  fill: (config: HubConfig) => Promise<unknown>,
  settle: () => Promise<unknown>,
  unknown: () => void
): Promise<void> {
  let isFilled = false
  try {
    await fill(configOfTenant(hub, at))
    isFilled = true
    await settle()
  } catch (error) {
    if (isFilled && !isRefusal(error)) unknown()
    // What is in a database of its own may have been there before.
    else if (at.database !== OWN_DATABASE) await removeData(hub, at).catch(() => {})
    throw error
  }
}

/** True for what a command says that has certainly changed nothing; a database that gave no answer may have committed it. */
export function isRefusal(error: unknown): boolean {
  return error instanceof HubError || error instanceof ClockRefused
}

/**
 * Sets up the database of a new tenant, with its system account; where that was cut off in a database of its own, it goes on. Throws what
 * an operator has to do first.
 */
export async function setUp(config: HubConfig, notice?: (text: string) => void): Promise<void> {
  await makeLog(config, notice)
  // Looked at before a ledger is opened, which seals an empty log where there is a key.
  const storage = await openStorage(config.db)
  const isNew = await holdsNobody(storage).finally(() => storage.close())
  if (!isNew) throw new NotReady('There is a log in this database already.')
  const ledger = await openReadyLedger(config, notice && { notice })
  await ensureSystemAccount(ledger).finally(() => ledger.close())
}

/** True for a log in which there is nothing but what setting it up has written: its seal, and the system account. */
async function holdsNobody(storage: Storage): Promise<boolean> {
  const events = await storage.readHeaders(0, SET_UP.length + 1)
  return events.length <= SET_UP.length && events.every(({ stream, type }) => SET_UP.includes(`${stream} ${type}`))
}

const SET_UP = ['audit-seal ChainSealed', `user-${SYSTEM_ID} UserCreated`]

/**
 * Brings the database of a tenant up to this release. Throws `NotReady` where a newer release has set it up, and where nobody has:
 * what is missing is not taken for what is new.
 */
export async function bringForward(config: HubConfig, notice?: (text: string) => void): Promise<void> {
  const absent = 'The database of this tenant has no hub in it: it is not where the configuration says.'
  if (!isThere(config.db)) throw new NotReady(absent)
  const storage = await openStorage(config.db, notice)
  try {
    if ((await storage.schema.applied()).length === 0) throw new NotReady(absent)
    if ((await requireKnownSchema(storage)) === 'older') await migrate(storage)
    if ((await outdated(storage)).length > 0) await rebuildInThread(config, true, undefined, notice)
  } finally {
    await storage.close()
  }
}

/** Makes an empty log for a tenant where there is none. */
export async function makeLog(config: HubConfig, notice?: (text: string) => void): Promise<void> {
  if (config.db.driver === 'sqlite') makeFolder(dirname(config.db.path))
  await migrateDatabase(config, notice)
}

/** Takes away everything that a tenant has in its database, for good; what else there is in a database of its own stays. */
export async function removeData(hub: HubConfig, at: TenantAt): Promise<void> {
  const { db, storage: images } = configOfTenant(hub, at)
  if (db.driver === 'sqlite') makeFolder(dirname(db.path))
  const storage = await openStorage(db)
  try {
    await removeImages(storage, images)
    await storage.schema.drop()
  } finally {
    await storage.close()
  }
  await removeSearchFile(db)
  if (db.driver !== 'sqlite' || at.database === OWN_DATABASE) return
  const [folder, name] = [dirname(db.path), basename(db.path)]
  // With it the write-ahead log, and the files whose locks stand for something: no other file's name begins with that of a place.
  const own = (await readdir(folder)).filter((one) => one.startsWith(name))
  await Promise.all(own.map((one) => rm(join(folder, one), { force: true })))
}

const PAGE = 500

/** Those in a bucket too, which do not go with the tables. */
async function removeImages(storage: Storage, config: ImageStorageConfig): Promise<void> {
  const places = await openImagePlaces(storage, config)
  if (!places) return
  const { home, other, close } = places
  try {
    const { list, delete: remove } = config.driver === 's3' ? home : other
    for (let keys = await list('', PAGE); keys.length > 0; keys = await list('', PAGE))
      for (const key of keys) await remove(key)
  } finally {
    await close()
  }
}
