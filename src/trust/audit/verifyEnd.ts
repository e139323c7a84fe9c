import { CHAIN_SEALED, type Keyring } from '../../log/chain.js'
import { pages } from '../../log/pages.js'
import { GENERATION_SWITCHED } from '../../readmodel/readModel.js'
import type { Storage } from '../../storage/storage.js'
import { eventOutside } from './outside.js'
import { ChainWalk, startBehind, type WalkStart } from './walk.js'

const PAGE = 1000
/** What tells how the log goes on, and where it is told. */
const TURNS: readonly string[] = [CHAIN_SEALED, GENERATION_SWITCHED]
const STREAMS = ['audit-seal', 'projections-live']

/** What a look at the end of a log found: from which event to which, and the first that does not hold. */
export interface EndReport {
  readonly from: number
  readonly position: number
  readonly bad: { readonly position: number; readonly reason: string } | null
}

type LogEnd = Pick<Storage, 'head' | 'readLog' | 'readHeaders' | 'readAt' | 'lastOf'>

/**
 * Walks the newest `count` events, from one whose link is taken as it is: computes every commitment and link behind it again, and
 * holds the head against the end; nothing may stand behind it, or before the first position. What was changed before that is for `verifyChain` to find. Writers may go on meanwhile.
 */
export async function verifyEnd(log: LogEnd, count: number, keys: Keyring): Promise<EndReport> {
  const first = await log.head()
  const from = Math.max(0, first.position - count)
  const walk = new ChainWalk(keys, { start: await startAt(log, from) })
  const report = (bad: EndReport['bad']): EndReport => ({ from: from + 1, position: walk.head.position, bad })
  for (let head = first, untold: number | null = null; ; head = await log.head(), untold = walk.untold) {
    for await (const page of pages(
      (after, limit) => log.readLog(after, limit),
      walk.head.position,
      head.position,
      PAGE
    )) {
      for (const event of page) {
        const expected = walk.head.position + 1
        const reason = walk.take(event)
        if (reason !== null) return report({ position: expected, reason })
      }
    }
    const next = walk.head.position + 1
    if (next <= head.position)
      return report({
        position: next,
        reason: `The log says that it ends at ${head.position}, and this event is missing.`
      })
    const fault = walk.faultOf(head)
    if (fault !== null) return report({ position: next, reason: fault })
    // What was erased during the walk is told by an event behind the end that the log had then: one more look must find it.
    if (walk.untold === null) return report(await eventOutside(log))
    if (walk.untold === untold)
      return report({
        position: walk.untold,
        reason: 'What this event held was erased, and no event of the log tells by whom.'
      })
  }
}

/** Where a walk begins at a position, as far as the log tells how it goes on there. */
async function startAt(log: LogEnd, position: number): Promise<WalkStart | undefined> {
  if (position === 0) return undefined
  const turns = await log.lastOf(STREAMS, TURNS, position)
  const events = await log.readAt([...new Set([...turns.map((turn) => turn.position), position])])
  const last = events.find((event) => event.position === position)
  return (
    last &&
    startBehind(
      last,
      events.filter(({ type }) => TURNS.includes(type))
    )
  )
}
