import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Ledger } from '../../ledger/ledger.js'
import { Superseded } from '../../ledger/release.js'
import { isCode, makeFolder } from '../../lib/files.js'
import { type Keyring, NO_KEYS } from '../../log/chain.js'
import { holds } from '../../log/logEnd.js'
import { ChainWalk, type WalkStart } from '../audit/walk.js'
import { recordExport } from './export.js'
import { BackupError } from './format.js'
import { noteBackup } from './made.js'
import { partsOf } from './read.js'
import { filesIn, isFull, nameIn, removeOld, removePartials, setsIn } from './sets.js'
import { type BackupReport, startBehind, verifyBackup } from './verify.js'
import { type BackupPlan, stopped, writeBackup } from './write.js'

const DAY_MS = 86_400_000

/** A hub that is backed up, and where to. */
export interface Followed {
  readonly ledger: Pick<Ledger, 'storage' | 'run'>
  readonly keys: Keyring
  readonly directory: string
  /** For how long a set stays after a newer one was begun. */
  readonly keep_ms: number
  readonly now: () => number
  readonly say: (text: string) => void
  readonly signal?: AbortSignal | undefined
}

/** The set that is continued, and where it ends. */
interface Running {
  readonly began: number
  readonly count: number
  readonly end: WalkStart
}

/** What is written at one time, each time it is asked: a full backup, an increment, or nothing where nothing has happened. */
export type BackupStep = () => Promise<'full' | 'increment' | 'nothing'>

/**
 * Writes the whole log as it is now, and records that in it as an export.
 * Throws as `writeBackup` does.
 */
export async function backUp(
  ledger: Pick<Ledger, 'storage' | 'run'>,
  plan: Omit<BackupPlan, 'start' | 'lengthens'>
): Promise<BackupReport> {
  if (plan.signal?.aborted) throw stopped()
  await recordExport(ledger)
  return writeNoted(ledger, plan)
}

async function writeNoted({ storage }: Pick<Ledger, 'storage'>, plan: BackupPlan): Promise<BackupReport> {
  const report = await writeBackup(storage, plan)
  const { header, end } = report
  await noteBackup(storage.state, { at: header.madeAt, position: end.position, file: plan.file })
  return report
}

/**
 * Takes a directory in hand, which nobody else may follow meanwhile: reads its newest set through, and returns what adds to it.
 * A set is continued for a day, or half the time that sets are kept where that is less; then, or where it is damaged or
 * the log has gone another way, a full backup begins the next. Throws `BackupError` where the directory is another hub's.
 */
export async function following(followed: Followed): Promise<BackupStep> {
  const { directory, say } = followed
  makeFolder(directory)
  await removePartials(directory)
  const first = await firstIn(directory)
  if (first !== null && first !== (await firstOf(followed.ledger)))
    throw new BackupError(`${directory} holds the backups of another hub. Name another directory.`)
  let running = await newestIn(followed)
  const write = async (): ReturnType<BackupStep> => {
    const { ledger, keys, now, signal } = followed
    const continued = running && (await canContinue(followed, running)) ? running : null
    const { position } = await ledger.storage.head()
    if (continued && position === continued.end.head.position) {
      // All there is stands in it: it is as good as a new one.
      const file = join(directory, nameIn(continued.began, continued.count - 1))
      await noteBackup(ledger.storage.state, { at: new Date(now()).toISOString(), position, file })
      return 'nothing'
    }
    const { began, count } = continued ?? { began: await nextBegin(followed), count: 0 }
    const plan = { file: join(directory, nameIn(began, count)), keys, now: now(), signal }
    const report = await (continued ? writeNoted(ledger, { ...plan, start: continued.end }) : backUp(ledger, plan))
    running = { began, count: count + 1, end: startBehind(report) }
    const { header, end } = report
    const what = continued ? `positions ${header.after.position + 1} to` : 'a full backup up to position'
    say(`${plan.file}: ${what} ${end.position}.`)
    return continued ? 'increment' : 'full'
  }
  return async () => {
    const done = await write()
    for (const name of await removeOld(directory, followed.keep_ms, followed.now()))
      say(`Removed ${name}, with what continued it.`)
    return done
  }
}

/** Opens a hub, works with what adds to its backups, and closes it again. */
export type Opened = (work: (round: BackupStep) => Promise<void>) => Promise<void>

/**
 * Does a round now and again and again after a pause, until `signal`. What goes wrong is said once, and tried again with a hub that is
 * opened anew: its key, the log that went back, or where a tenant is may be another by then. Rejects where the hub cannot be opened at
 * first, and where another release has taken the database over.
 */
export async function followUntil(
  opened: Opened,
  pause_ms: number,
  signal: AbortSignal,
  say: (text: string) => void
): Promise<void> {
  let trouble: string | null = null
  let isBegun = false
  const fails = (error: unknown) => {
    if (!isBegun || error instanceof Superseded) throw error
    const text = error instanceof Error ? error.message : String(error)
    if (!signal.aborted && text !== trouble) say(`No backup: ${text} It is tried again.`)
    trouble = text
  }
  const pause = () => sleep(pause_ms, null, { signal }).catch(() => {})
  const rounds = async (round: BackupStep) => {
    isBegun = true
    while (!signal.aborted) {
      await round()
      if (trouble !== null) say('It works again.')
      trouble = null
      await pause()
    }
  }
  while (!signal.aborted) {
    try {
      await opened(rounds)
    } catch (error) {
      fails(error)
      await pause()
    }
  }
}

async function newestIn({ directory, keys, say }: Followed): Promise<Running | null> {
  const set = (await setsIn(directory)).at(-1)
  if (!set) return null
  try {
    const report = await verifyBackup(filesIn(directory, set), { keys })
    return { began: set.began, count: set.numbers.length, end: startBehind(report) }
  } catch (error) {
    if (!(error instanceof BackupError)) throw error
    say(`${error.message} A full backup begins anew.`)
    return null
  }
}

/** The chain of the first event that the newest set holds, by which one log is told from another; of the one before where it is damaged. */
async function firstIn(directory: string): Promise<string | null> {
  for (const { began } of (await setsIn(directory)).toReversed()) {
    try {
      for await (const part of partsOf(join(directory, nameIn(began, 0)))) {
        if (part.kind !== 'event') continue
        if (new ChainWalk(NO_KEYS).take(part.event) === null) return part.event.chain
        break
      }
    } catch (error) {
      if (!(error instanceof BackupError || isCode(error, 'ENOENT'))) throw error
    }
  }
  return null
}

async function canContinue(followed: Followed, { began, count, end }: Running): Promise<boolean> {
  const { directory, keep_ms, now, ledger } = followed
  // Less than nothing where the clock was ahead then: a full one each time until it is there again would fill the disk.
  const age = now() - began
  if (age >= Math.min(DAY_MS, keep_ms / 2) || isFull(count)) return false
  if (!existsSync(join(directory, nameIn(began, count - 1)))) return false
  return holds(ledger.storage, end.head)
}

/** Behind all sets that are there, to the second. */
async function nextBegin({ directory, now }: Followed): Promise<number> {
  const last = (await setsIn(directory)).at(-1)?.began ?? 0
  return Math.max(Math.floor(now() / 1000) * 1000, last + 1000)
}

async function firstOf({ storage }: Pick<Ledger, 'storage'>): Promise<string | null> {
  return (await storage.readHeaders(0, 1))[0]?.chain ?? null
}
