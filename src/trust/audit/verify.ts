import { grouped } from '../../lib/grouped.js'
import { GENESIS, type Keyring, NO_KEYS } from '../../log/chain.js'
import type { EventHeader, Head, StoredEvent } from '../../log/event.js'
import { pages } from '../../log/pages.js'
import { ChainWalk, type Sealed } from './walk.js'

const PAGE = 1000

/** A place in the log that whoever keeps it elsewhere can hold against the log later. */
export interface Checkpoint {
  readonly position: number
  readonly chain: string
}

/** A position that does not hold, and why. */
export interface BadPlace {
  readonly position: number
  readonly reason: string
}

/** What a walk over the log found: how many events hold together, and the first position that does not. */
export interface ChainReport extends Checkpoint {
  readonly bad: BadPlace | null
  /** The key in force at the end, and the first position that is sealed with it; null where the end is not sealed. */
  readonly sealed: Sealed | null
}

/** The part of the storage port that a verification reads. */
export interface LogSource extends LogBounds {
  head(): Promise<Head>
  readLog(after: number, limit: number): Promise<readonly StoredEvent[]>
}

/** What a log is verified with. */
export interface Means {
  readonly checkpoints?: readonly Checkpoint[]
  readonly keys?: Keyring
  readonly progress?: (position: number) => void
}

/**
 * Walks the log from its first event to the end that it had at the call, computes every commitment and every link of the
 * chain again, and stops at the first position that is missing, out of its place, edited or not of its commitment, or is not
 * what a checkpoint says. The head must say what the log says, and be sealed with the key in force; nothing may stand before the
 * first position or behind the head. Texts whose erasure is in
 * the log are no fault. Without a key, an end that was cut off together with the head shows only against a checkpoint taken
 * before, and so does with a key a whole log that was put back. Writers may go on meanwhile.
 */
export async function verifyChain(
  log: LogSource,
  { checkpoints = [], keys = NO_KEYS, progress = () => {} }: Means = {}
): Promise<ChainReport> {
  const walk = new ChainWalk(keys)
  const known = grouped(checkpoints, ({ position }) => position)
  const report = (bad: BadPlace | null): ChainReport => {
    const { position, chain } = walk.head
    return { position, chain, sealed: walk.sealed, bad }
  }
  const before = contradiction({ position: 0, chain: GENESIS }, known)
  if (before !== null) return report({ position: 0, reason: before })
  const faults = {
    ofEvent: (event: StoredEvent) => contradiction(event, known),
    ofHead: () => otherKey(walk, keys),
    progress
  }
  const bad = await walkedToEnd(log, walk, faults)
  if (bad) return report(bad)
  const { position } = walk.head
  const beyond = checkpoints.find((checkpoint) => checkpoint.position > position)
  if (!beyond) return report(await eventOutside(log))
  const reason = `The checkpoint was taken at ${beyond.position}: the events from here to there are gone.`
  return report({ position: position + 1, reason })
}

/** What is looked for beside what a walk itself finds, and who is told how far it is. */
interface Faults {
  readonly ofEvent?: (event: StoredEvent) => string | null
  readonly ofHead?: () => string | null
  readonly progress?: (position: number) => void
}

/** Takes a log into a walk up to the end that it has by then. Returns the first position that does not hold; null where all do. */
export async function walkedToEnd(
  log: LogSource,
  walk: ChainWalk,
  { ofEvent = () => null, ofHead = () => null, progress = () => {} }: Faults = {}
): Promise<BadPlace | null> {
  for (let untold: number | null = null; ; untold = walk.untold) {
    const head = await log.head()
    const { position: from } = walk.head
    for await (const page of pages((after, limit) => log.readLog(after, limit), from, head.position, PAGE)) {
      for (const event of page) {
        const position = walk.head.position + 1
        const reason = walk.take(event) ?? ofEvent(event)
        if (reason !== null) return { position, reason }
      }
      progress(walk.head.position)
    }
    const position = walk.head.position + 1
    if (position <= head.position)
      return { position, reason: `The log says that it ends at ${head.position}, and this event is missing.` }
    const reason = walk.faultOf(head) ?? ofHead()
    if (reason !== null) return { position, reason }
    // What was erased during the walk is told by an event behind the end that the log had then: one more look must find it.
    if (walk.untold === null) return null
    if (walk.untold === untold)
      return { position: untold, reason: 'What this event held was erased, and no event of the log tells by whom.' }
  }
}

/** Why the log cannot end the way it does where another key is in force than the one that the configuration names. */
function otherKey({ sealed }: ChainWalk, { inForce }: Keyring): string | null {
  if (inForce.keyId === null || inForce.keyId === sealed?.keyId) return null
  return sealed === null
    ? `The log does not end sealed with the key ${inForce.keyId}: it was written anew without it, or nobody has sealed it yet (hub audit seal).`
    : `The log ends sealed with the former key ${sealed.keyId}, and not with ${inForce.keyId}: an older state was put back.`
}

/** `known` has, of each position, every checkpoint that somebody has kept. */
function contradiction(
  { position, chain }: Checkpoint,
  known: ReadonlyMap<number, readonly Checkpoint[]>
): string | null {
  return known.get(position)?.some((one) => one.chain !== chain)
    ? 'The checkpoint of this position has another chain: the log was written anew.'
    : null
}

/** What of a log is asked to find events that stand outside of it. */
export interface LogBounds {
  head(): Promise<Pick<Head, 'position'>>
  readHeaders(after: number, limit: number): Promise<readonly Pick<EventHeader, 'position'>[]>
}

const WHAT_TO_DO = 'No hub has put it there: find out who can write the database, and delete this row from the log.'

/** The first event before the first position or behind the end of the log; null where there is none. Writers may go on meanwhile. */
export async function eventOutside(log: LogBounds): Promise<BadPlace | null> {
  const [first] = await log.readHeaders(Number.MIN_SAFE_INTEGER, 1)
  if (first && first.position < 1)
    return {
      position: first.position,
      reason: `The log begins at 1, and this event stands before it. ${WHAT_TO_DO}`
    }
  const [behind] = await log.readHeaders((await log.head()).position, 1)
  if (!behind) return null
  // What was committed between the two questions moved the end of the log with it.
  const { position: end } = await log.head()
  return behind.position <= end
    ? null
    : {
        position: behind.position,
        reason: `The log ends at ${end}, and this event stands behind its end. ${WHAT_TO_DO}`
      }
}
