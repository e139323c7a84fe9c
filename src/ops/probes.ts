import { dirname, join } from 'node:path'
import { schemaState } from '../../migrations/migrate.js'
import type { DbConfig, HubConfig } from '../config/types.js'
import { searchFileOf } from '../followers/search/fileName.js'
import { headsOf, lostEnds } from '../ledger/lostEnds.js'
import { releaseOf } from '../ledger/release.js'
import { chainAt } from '../log/logEnd.js'
import { lossText } from '../log/wentBack.js'
import type { Storage } from '../storage/storage.js'
import type { Throttle } from '../throttle/throttle.js'
import { ACCEPT_HEAD, type Check, type Finding, failed, finding, ok, skipped, warning } from './check.js'

/** How much room is left on the disk that a folder is on. */
export type Room = (folder: string) => Promise<{ readonly free_bytes: number }>

/** What a probe asks. Each may throw what its other side does. */
export interface ProbePorts {
  config(): HubConfig
  storage(): Promise<
    Pick<Storage, 'version' | 'schema' | 'head' | 'readHeaders' | 'readAt' | 'searchLog' | 'state' | 'timeline'>
  >
  /** Throws what a request would be refused for, by a hub that serves; nothing else knows more than what is in the database. */
  current?(): Promise<void>
  throttle(): Promise<Pick<Throttle, 'ping' | 'heads'>>
  readonly room: Room
  /** False for a file or folder that this account may not write or make, or that is on a read-only file system. */
  isWritable(path: string): Promise<boolean>
}

const MIB = 1024 * 1024
/** Below this much room an operator is warned. */
export const ROOM_LOW_BYTES = 2048 * MIB
/** Below this much, the next hours may end in a full disk. */
export const ROOM_OUT_BYTES = 256 * MIB

/** The database answers, and a file can be written. */
const db: Check<ProbePorts> = {
  name: 'db',
  async run({ config, storage, isWritable }) {
    const opened = await storage()
    const text = `${await opened.version()} answers.`
    const { db } = config()
    if (db.driver !== 'sqlite') return ok(text)
    // The version is the library's: it is known of a file too that is no database.
    await opened.schema.applied()
    const writable = await Promise.all([db.path, dirname(db.path)].map(isWritable))
    return writable.every(Boolean) ? ok(text) : [UNWRITABLE]
  }
}

const UNWRITABLE = failed(
  'The database can be read, and its file cannot be written.',
  'See whether its file system is mounted read-only, and whether the file and its folder belong to the account of the hub.'
)

/** Failed authentications can be counted, and it can be kept how far the log has come. */
const redis: Check<ProbePorts> = {
  name: 'redis',
  async run({ config, throttle, isWritable }) {
    if (config().redis.driver === 'memory') {
      const unkept = await unkeptHeads(config(), isWritable)
      return unkept ? [unkept] : ok('Failed authentications are counted in the process.')
    }
    await (await throttle()).ping()
    return ok('Redis answers.')
  }
}

/** What is wrong where a hub without Redis cannot keep how far its log has come; null where nothing is. */
export async function unkeptHeads(
  { redis, audit }: Pick<HubConfig, 'redis' | 'audit'>,
  isWritable: ProbePorts['isWritable']
): Promise<Finding | null> {
  if (redis.driver !== 'memory' || (await isWritable(join(audit.headDirectory, 'head')))) return null
  return warning(
    'It cannot be kept how far the log has come, so nobody would notice a database that was put back.',
    'Let the account of the hub write to the folder, or name another one in audit.headDirectory.',
    { subject: audit.headDirectory }
  )
}

/** The database is one that this version may write to. */
const schema: Check<ProbePorts> = {
  name: 'schema',
  isAboutContents: true,
  async run({ storage }) {
    const opened = await storage()
    const state = await schemaState(opened)
    if (state === 'older') return [failed('The database is not set up for this version.', 'Run `hub migrate`.')]
    if (state === 'newer' || releaseOf(await opened.head()) === 'newer')
      return [failed('A newer version of the hub writes to this database.', 'Start that version.')]
    return ok('The schema is that of this version.')
  }
}

/** The log ends where its head says, and holds what hubs have known of it. */
const log: Check<ProbePorts> = {
  name: 'log',
  isAboutContents: true,
  async run({ config, storage, throttle, current }) {
    const opened = await storage()
    // A hub that serves has held its log against what others have told.
    const heads = current
      ? undefined
      : await throttle()
          .then(({ heads }) => headsOf(() => heads, config().db))
          .catch(() => undefined)
    await current?.()
    const { position, chain } = await opened.head()
    const [lost] = await lostEnds(opened, heads)
    if (lost) return [failed(lossText(lost, { position }), ACCEPT_HEAD)]
    const end = await chainAt(opened, position)
    if (end === chain) return ok(`The log ends at position ${position}.`)
    const text = `The head of the log names position ${position}, and that event is ${end === undefined ? 'not there' : 'another one'}.`
    return [failed(text, 'Stop the hub and run `hub audit verify`.')]
  }
}

/** There is room for what the hub writes on this machine. */
const disk: Check<ProbePorts> = {
  name: 'disk',
  async run({ config, room }) {
    const folders = writtenFolders(config())
    if (folders.length === 0) return ok('Nothing is written on this machine.')
    return Promise.all(folders.map(async (folder) => roomIn(folder, (await room(folder)).free_bytes)))
  }
}

/** The same on the disks that databases of tenants alone are on: the hub is ready without them. */
export const tenantDisks: Check<ProbePorts> = {
  name: 'tenant disks',
  async run({ config, room }) {
    const { multitenancy, tenants, ...hub } = config()
    const databases = [
      ...Object.values(multitenancy.databases),
      ...Object.values(tenants).flatMap(({ db }) => db ?? [])
    ]
    const own = new Set(writtenFolders(hub))
    const others = foldersOf(databases.flatMap(filesOf)).filter((folder) => !own.has(folder))
    if (!multitenancy.enabled || others.length === 0)
      return skipped('No tenant is on a disk of this machine where the hub is not.')
    return Promise.all(others.map(async (folder) => roomIn(folder, (await room(folder)).free_bytes)))
  }
}

/** The folders that a hub writes to, each once. */
function writtenFolders({ db, logging, audit }: Pick<HubConfig, 'db' | 'logging' | 'audit'>): readonly string[] {
  return foldersOf([...filesOf(db), logging.file, audit.checkpointFile])
}

function filesOf(db: DbConfig): readonly (string | undefined)[] {
  return [db.driver === 'sqlite' ? db.path : undefined, searchFileOf(db) ?? undefined]
}

function foldersOf(files: readonly (string | undefined)[]): readonly string[] {
  return [...new Set(files.flatMap((file) => (file === undefined ? [] : [dirname(file)])))]
}

function roomIn(subject: string, free_bytes: number): Finding {
  const left = `${Math.floor(free_bytes / MIB)} MB are free.`
  if (free_bytes >= ROOM_LOW_BYTES) return finding('ok', left, undefined, { subject })
  const advice = 'Make room on the disk, or move the database and the logs to a larger one.'
  return finding(free_bytes < ROOM_OUT_BYTES ? 'failed' : 'warning', `Only ${left}`, advice, { subject })
}

/** What decides whether a hub is ready to serve: each is cheap enough to be asked once a second. */
export const PROBES: readonly Check<ProbePorts>[] = [db, redis, schema, log, disk]
