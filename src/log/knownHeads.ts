import { z } from 'zod'
import { remembered } from '../lib/remembered.js'
import type { Commit, Storage } from '../storage/storage.js'
import { sha256 } from './chain.js'
import type { Head } from './event.js'
import { chainAt, holds, type LogEnd } from './logEnd.js'
import { HeadWentBack } from './wentBack.js'

/** An end of a log as hubs tell each other of it; `timeline` is that of the server that took it, where there is one. */
export const announcedEnd = z.object({
  position: z.number(),
  chain: z.string(),
  at: z.string(),
  timeline: z.string().optional()
})
export type AnnouncedEnd = Readonly<z.infer<typeof announcedEnd>>

/**
 * Where hubs and commands tell each other how far a log has come, beside its database: a server that another has taken over from, or a
 * database that was put back, does not know. What is lost of it, is told anew by the next commit. Every method may reject where nobody
 * can say.
 */
export interface KnownHeads {
  /** The furthest end that was told; null where none was. */
  furthest(log: string): Promise<AnnouncedEnd | null>
  /**
   * Tells that a log goes on from one end to another. Returns null, or an end that was told before and is not before the first of the
   * two: it is left as it is, and the log that was written has to hold it.
   */
  announce(log: string, after: LogEnd, end: AnnouncedEnd): Promise<AnnouncedEnd | null>
  /** Tells that a log ends there, whatever was told before. */
  accept(log: string, end: AnnouncedEnd): Promise<void>
}

type Named = Pick<Storage, 'readHeaders' | 'timeline'>

/**
 * What a log is named by: the chain of its first event, and the servers that take over from each other, where they tell; null for an
 * empty one.
 */
async function nameOfLog(storage: Named): Promise<string | null> {
  const first = await chainAt(storage, 1)
  return first === undefined ? null : nameBehind(first, storage)
}

const nameBehind = (first: string, { timeline }: Pick<Storage, 'timeline'>): string =>
  sha256(`${first} ${timeline?.()?.split(':')[0] ?? ''}`)

/** The same for the logs at one place, so that a copy of a log elsewhere, as one that was restored to look at it, is another log. */
export const headsAt = (heads: () => KnownHeads, place: string): KnownHeads => {
  const own = remembered((log: string) => sha256(`${place} ${log}`))
  return {
    furthest: (log) => heads().furthest(own(log)),
    announce: (log, after, end) => heads().announce(own(log), after, end),
    accept: (log, end) => heads().accept(own(log), end)
  }
}

/** The furthest end that is known of a log and that it does not hold; null where it holds what is known, or nobody can say. */
export async function missingEnd(storage: Named, heads: KnownHeads): Promise<AnnouncedEnd | null> {
  const log = await nameOfLog(storage)
  const known = log === null ? null : await heads.furthest(log).catch(() => null)
  return known && !(await holds(storage, known)) ? known : null
}

type Decided = Omit<Commit, 'switch'>

/** The end of a log as it is told. */
export const endOf = ({ position, chain, at }: Head, { timeline }: Pick<Storage, 'timeline'>): AnnouncedEnd => ({
  ...{ position, chain, at },
  timeline: timeline?.()
})

/** Tells that the log ends where it does, whatever was told before, as far as somebody can be told. */
export async function acceptHead(storage: Storage, heads: KnownHeads): Promise<void> {
  const log = await nameOfLog(storage)
  if (log !== null) await heads.accept(log, endOf(await storage.head(), storage)).catch(() => {})
}

/**
 * The same storage, which tells how far it has come before a commit counts, and whose head is held against what others have told:
 * where it does not hold that, whoever asks or writes gets `HeadWentBack`, until it does. `isAlone` is true for a database that no other
 * one can take the place of while it is open: its head is not looked at each time. `notice` is told what is not held.
 */
export async function withKnownHeads(
  storage: Storage,
  heads: KnownHeads,
  isAlone: boolean,
  notice: (text: string) => void
): Promise<Storage> {
  let log = await nameOfLog(storage)
  /** The chain of the newest end that this database is known to hold. */
  let held: string | null = null
  /** What was told by somebody who writes another database. */
  let elsewhere: AnnouncedEnd | null = null

  const known = async (): Promise<AnnouncedEnd | null> => (log === null ? null : heads.furthest(log).catch(() => null))
  const requireHeld = async (end: AnnouncedEnd, head: LogEnd): Promise<void> => {
    const isHeld = end.chain === head.chain || (end.chain === held && end.position <= head.position)
    if (!isHeld && !(await holds(storage, end))) {
      const lost = new HeadWentBack(end, head)
      if (elsewhere?.chain !== end.chain) notice(lost.message)
      elsewhere = end
      throw lost
    }
    held = end.chain
    elsewhere = null
  }
  const told = async (after: Head, head: Head, first: string | undefined): Promise<void> => {
    log ??= after.position === 0 && first !== undefined ? nameBehind(first, storage) : await nameOfLog(storage)
    if (log === null) return
    // Where nobody can be told, nobody is let in either, but for what is under way.
    const other = await heads.announce(log, after, endOf(head, storage)).catch(() => null)
    if (other) await requireHeld(other, head)
    held = head.chain
  }

  return {
    ...storage,
    async head() {
      if (isAlone && !elsewhere) return storage.head()
      const [seen, end] = await Promise.all([storage.head(), known()])
      if (!end || end.chain === seen.chain) return seen
      if (end.timeline !== undefined) storage.notBefore?.(end.timeline)
      if (end.chain === held && end.position <= seen.position) return seen
      // It may have been told after the look.
      const again = await storage.head()
      await requireHeld(end, again)
      return again
    },
    async commit(commit) {
      const outcome = await storage.commit(commit)
      if (outcome === 'committed') await told(commit.after, commit.head, commit.events[0]?.chain)
      return outcome
    },
    async write(decide) {
      if (elsewhere) await requireHeld((await known()) ?? elsewhere, await storage.head())
      const found: { head?: Head; commit?: Decided | null } = {}
      const outcome = await storage.write(async (head) => {
        found.head = head
        found.commit = await decide(head)
        return found.commit
      })
      const { head, commit } = found
      if (outcome === 'committed' && commit) await told(commit.after, commit.head, commit.events[0]?.chain)
      // What goes by it is acknowledged: perhaps a commit that is in it, whose answer was lost before it was told.
      else if (outcome === 'committed' && head && head.chain !== held) await told(head, head, undefined)
      return outcome
    }
  }
}
