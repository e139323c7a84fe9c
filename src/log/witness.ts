import { setTimeout } from 'node:timers/promises'
import { type Commit, type Schema, type Storage, StorageUnavailable } from '../storage/storage.js'
import type { Head } from './event.js'

// A witness is told how far the log may come before every commit, so who reads can ask it, beside what they have to ask its store
// anyway, instead of the database. Why that is exact stands in docs/witness.md.

/** How long after a look at the head a process may believe the witness that it named, by its own clock. */
export const TRUST_MS = 3000
/** How long nobody commits behind a head whose witness is leaving: nobody believes it then, though clocks run at different speeds. */
export const LEAVE_MS = 3300
const ATTEMPTS = 2
const PAUSE_MS = 100
/** As often a head is looked at again because somebody else has changed who witnesses it. */
const LOOKS = 10

/** What a witness says: the highest position that it was told of and the time of its store, in milliseconds. */
export interface Testimony {
  readonly highest: number
  readonly time: number
}

/**
 * Whoever is not there: `gone` for good, as only its own store can say, or not known to whoever was asked, which is then another store
 * or has lost some of what it was told.
 */
export type Absence = 'gone' | 'elsewhere'

/** A store of witnesses. Every method rejects where the store does not answer; what was asked may or may not have happened then. */
export interface WitnessStore {
  /** Makes a witness that was told of this position, and resolves to its name, which no other ever has; null where there can be none. */
  begin(position: number): Promise<string | null>
  /** Tells the witness of a position. */
  announce(witness: string, position: number): Promise<'announced' | Absence>
  ask(witness: string): Promise<Testimony | Absence>
  /** Lets the witness live until this time of the store at least; nothing where it is gone. */
  extend(witness: string, until: number): Promise<void>
  /** Takes the witness away. */
  end(witness: string): Promise<Absence>
}

/** The time by which this process waits. */
export interface WitnessClock {
  /** In milliseconds, on a clock that nobody sets. */
  readonly now: () => number
  readonly wait: (ms: number) => Promise<unknown>
}

const CLOCK: WitnessClock = { now: () => performance.now(), wait: setTimeout }
const LEAVING = 'leaving '

/** The witness that a head names for readers; null where there is none, or it is leaving. */
export function witnessOf({ witness }: Head): string | null {
  return witness === undefined || witness.startsWith(LEAVING) ? null : witness
}

/** What of a storage has to do with its head. */
export interface HeadStorage extends Pick<Storage, 'head' | 'commit'> {
  readonly schema: Pick<Schema, 'writeUnder'>
}

/**
 * The same storage, which tells the witness of the head before it commits. Where it cannot be told, the head says that it is leaving,
 * and nobody commits until nobody believes it any more: behind the first commit after that there is none. `store` may be opened when it
 * is asked for; it resolves to null where this process has none.
 */
export function witnessed(
  storage: Storage,
  store: () => Promise<WitnessStore | null> = async () => null,
  clock: WitnessClock = CLOCK
): Storage {
  const { head, commit, schema } = withWitness(storage, store, clock)
  return { ...storage, head, commit, schema: { ...storage.schema, ...schema } }
}

/** What `witnessed` makes of what a storage has to do with its head. */
export function withWitness(
  storage: HeadStorage,
  store: () => Promise<WitnessStore | null>,
  clock: WitnessClock
): HeadStorage {
  let known: Head | null = null
  let leaving: { readonly text: string; readonly since: number } | null = null

  const read = async (): Promise<Head> => {
    known = await storage.head()
    return known
  }
  /** What the witness, or its store, says to something that is asked again where there is no answer. */
  const asked = async <T>(question: (opened: WitnessStore) => Promise<T>): Promise<T | 'elsewhere'> => {
    for (let attempt = 1; ; attempt++) {
      try {
        const opened = await store()
        return opened ? await question(opened) : 'elsewhere'
      } catch {
        if (attempt === ATTEMPTS) return 'elsewhere'
      }
      await clock.wait(PAUSE_MS)
    }
  }
  /** Resolves when nobody believes any more who is leaving. */
  const left = async (text: string): Promise<void> => {
    if (leaving?.text !== text) leaving = { text, since: clock.now() }
    const { since } = leaving
    if ((await asked((opened) => opened.end(text.slice(LEAVING.length)))) === 'gone') return
    await clock.wait(Math.max(0, since + LEAVE_MS - clock.now()))
  }
  /** Says in the head that its witness is leaving. */
  const dismiss = (head: Head, witness: string) =>
    storage.commit({ after: head, events: [], ops: [], head: { ...head, witness: LEAVING + witness } })

  /** The witness that a commit behind this head names, once it may be sent; `stale` where the head names another by then. */
  const readied = async (head: Head, position: number): Promise<{ readonly witness: string | undefined } | 'stale'> => {
    const { witness } = head
    if (witness === undefined) return { witness }
    if (witness.startsWith(LEAVING)) {
      await left(witness)
      return { witness: undefined }
    }
    const answer = await asked((opened) => opened.announce(witness, position))
    if (answer === 'announced') return { witness }
    if (answer === 'gone') return { witness: undefined }
    await dismiss(head, witness)
    return 'stale'
  }

  const commit = async (commit: Commit): Promise<'committed' | 'stale'> => {
    if (commit.events.length === 0) return storage.commit(commit)
    let after = known && isSame(known, commit.after) ? known : commit.after
    for (let look = 0; look < LOOKS; look++) {
      const ready = await readied(after, commit.head.position)
      if (ready !== 'stale') {
        const head = { ...commit.head, ...ready }
        if ((await storage.commit({ ...commit, after, head })) === 'committed') {
          known = head
          return 'committed'
        }
      }
      const seen = await read()
      if (!isSame(seen, commit.after)) return 'stale'
      if (ready !== 'stale' && seen.witness === after.witness) return 'stale'
      after = seen
    }
    return 'stale'
  }

  return {
    head: read,
    commit,
    schema: {
      async writeUnder(text) {
        await storage.schema.writeUnder(text)
        // Readers would learn of it only when they look at the head again.
        for (let look = 0; look < LOOKS; look++) {
          const head = await read()
          const witness = witnessOf(head)
          if (witness !== null) {
            if ((await asked((opened) => opened.end(witness))) === 'gone') return
            await dismiss(head, witness)
          } else if (head.witness !== undefined) return left(head.witness)
          else return
        }
        throw new StorageUnavailable('Others change who witnesses the head of the log every time.')
      }
    }
  }
}

/** True where two heads are the same but for who witnesses what comes behind them. */
function isSame(a: Head, b: Head): boolean {
  return a.position === b.position && a.chain === b.chain && a.writtenUnder === b.writtenUnder
}
