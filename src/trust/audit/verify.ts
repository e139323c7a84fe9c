import { GENESIS, type Keyring, NO_KEYS } from '../../log/chain.js'
import type { Head, StoredEvent } from '../../log/event.js'
import { pages } from '../../log/pages.js'
import { eventOutside, type LogBounds } from './outside.js'
import { ChainWalk } from './walk.js'

const PAGE = 1000

/** A place in the log that whoever keeps it elsewhere can hold against the log later. */
export interface Checkpoint {
  readonly position: number
  readonly chain: string
}

/** What a walk over the log found: how many events hold together, and the first position that does not. */
export interface ChainReport extends Checkpoint {
  readonly bad: { readonly position: number; readonly reason: string } | null
  /** The key in force at the end, and the first position that is sealed with it; null where the end is not sealed. */
  readonly sealed: { readonly keyId: string; readonly from: number } | null
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
  const known = byPosition(checkpoints)
  const report = (position: number, reason: string): ChainReport => ({ ...ended(walk), bad: { position, reason } })
  const before = contradiction({ position: 0, chain: GENESIS }, known)
  if (before !== null) return report(0, before)
  for (let untold: number | null = null; ; untold = walk.untold) {
    const head = await log.head()
    const { position: from } = walk.head
    for await (const page of pages((after, limit) => log.readLog(after, limit), from, head.position, PAGE)) {
      for (const event of page) {
        const expected = walk.head.position + 1
        const reason = walk.take(event) ?? contradiction(event, known)
        if (reason !== null) return report(expected, reason)
      }
      progress(walk.head.position)
    }
    const { position } = walk.head
    const next = position + 1
    if (position < head.position)
      return report(next, `The log says that it ends at ${head.position}, and this event is missing.`)
    const fault = walk.faultOf(head) ?? otherKey(walk, keys)
    if (fault !== null) return report(next, fault)
    // What was erased during the walk is told by an event behind the end that the log had then: one more look must find it.
    if (walk.untold === null || walk.untold === untold) break
  }
  const { position } = walk.head
  const beyond = checkpoints.find((checkpoint) => checkpoint.position > position)
  if (beyond)
    return report(
      position + 1,
      `The checkpoint was taken at ${beyond.position}: the events from here to there are gone.`
    )
  if (walk.untold === null) return { ...ended(walk), bad: await eventOutside(log) }
  return report(walk.untold, 'What this event held was erased, and no event of the log tells by whom.')
}

function ended({ head: { position, chain }, sealed }: ChainWalk): Omit<ChainReport, 'bad'> {
  return { position, chain, sealed }
}

/** Why the log cannot end the way it does where another key is in force than the one that the configuration names. */
function otherKey({ sealed }: ChainWalk, { inForce }: Keyring): string | null {
  if (inForce.keyId === null || inForce.keyId === sealed?.keyId) return null
  return sealed === null
    ? `The log does not end sealed with the key ${inForce.keyId}: it was written anew without it, or nobody has sealed it yet (hub audit seal).`
    : `The log ends sealed with the former key ${sealed.keyId}, and not with ${inForce.keyId}: an older state was put back.`
}

/** Of each position every chain that somebody has kept. */
function byPosition(checkpoints: readonly Checkpoint[]): ReadonlyMap<number, ReadonlySet<string>> {
  const known = new Map<number, Set<string>>()
  for (const { position, chain } of checkpoints) known.set(position, (known.get(position) ?? new Set()).add(chain))
  return known
}

function contradiction(
  { position, chain }: Checkpoint,
  known: ReadonlyMap<number, ReadonlySet<string>>
): string | null {
  const kept = known.get(position)
  return kept && [...kept].some((one) => one !== chain)
    ? 'The checkpoint of this position has another chain: the log was written anew.'
    : null
}
