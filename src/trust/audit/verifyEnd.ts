import { CHAIN_SEALED, type Keyring } from '../../log/chain.js'
import { GENERATION_SWITCHED } from '../../readmodel/readModel.js'
import type { Storage } from '../../storage/storage.js'
import { type BadPlace, eventOutside, walkedToEnd } from './verify.js'
import { ChainWalk, startBehind, type WalkStart } from './walk.js'

/** What tells how the log goes on, and where it is told. */
const TURNS: readonly string[] = [CHAIN_SEALED, GENERATION_SWITCHED]
const STREAMS = ['audit-seal', 'projections-live']

/** What a look at the end of a log found: from which event to which, and the first that does not hold. */
export interface EndReport {
  readonly from: number
  readonly position: number
  readonly bad: BadPlace | null
}

type LogEnd = Pick<Storage, 'head' | 'readLog' | 'readHeaders' | 'readAt' | 'lastOf'>

/**
 * Walks the newest `count` events, from one whose link is taken as it is: computes every commitment and link behind it again, and
 * holds the head against the end; nothing may stand behind it, or before the first position. What was changed before that is for `verifyChain` to find. Writers may go on meanwhile.
 */
export async function verifyEnd(log: LogEnd, count: number, keys: Keyring): Promise<EndReport> {
  const from = Math.max(0, (await log.head()).position - count)
  const walk = new ChainWalk(keys, { start: await startAt(log, from) })
  const bad = (await walkedToEnd(log, walk)) ?? (await eventOutside(log))
  return { from: from + 1, position: walk.head.position, bad }
}

/** Where a walk begins at a position, as far as the log tells how it goes on there. */
async function startAt(log: LogEnd, position: number): Promise<WalkStart | undefined> {
  if (position === 0) return undefined
  const turns = await log.lastOf(STREAMS, TURNS, position)
  const events = await log.readAt([...new Set([...turns.map((turn) => turn.position), position])])
  const last = events.find((event) => event.position === position)
  const told = events.filter(({ type }) => TURNS.includes(type))
  return last && startBehind(last, told)
}
