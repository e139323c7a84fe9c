import { GENESIS, isIntact, link } from '../log/chain.js'
import type { Head, StoredEvent } from '../log/event.js'
import { pages } from '../log/pages.js'
import { UntoldErasures } from './erased.js'

const PAGE = 1000

/** A place in the log that whoever keeps it elsewhere can hold against the log later. */
export interface Checkpoint {
  readonly position: number
  readonly chain: string
}

/** What a walk over the log found: how many events hold together, and the first position that does not. */
export interface ChainReport extends Checkpoint {
  readonly bad: { readonly position: number; readonly reason: string } | null
}

/** The part of the storage port that a verification reads. */
export interface LogSource {
  head(): Promise<Head>
  readLog(after: number, limit: number): Promise<readonly StoredEvent[]>
}

/**
 * Walks the log from its first event to the end that it had at the call, computes every commitment and every link of the
 * chain again, and stops at the first position that is missing, out of its place, edited or not of its commitment. Texts
 * whose erasure is in the log are no fault. An end that was cut off together with the head shows only against a checkpoint taken before.
 */
export async function verifyChain(
  log: LogSource,
  checkpoint: Checkpoint | null = null,
  progress: (position: number) => void = () => {}
): Promise<ChainReport> {
  const head = await log.head()
  let [position, chain] = [0, GENESIS]
  const untold = new UntoldErasures()
  const bad = (reason: string): ChainReport => ({ position, chain, bad: { position: position + 1, reason } })
  for await (const page of pages((after, limit) => log.readLog(after, limit), 0, head.position, PAGE)) {
    for (const event of page) {
      const reason = fault(event, { position, chain }) ?? contradiction(event, checkpoint)
      if (reason !== null) return bad(reason)
      untold.see(event)
      position = event.position
      chain = event.chain
    }
    progress(position)
  }
  if (position < head.position) return bad(`The log says that it ends at ${head.position}, and this event is missing.`)
  if (chain !== head.chain)
    return bad(`The log's end is recorded with another chain than the one that event ${position} has.`)
  if (checkpoint && checkpoint.position > position)
    return bad(`The checkpoint was taken at ${checkpoint.position}: the events from here to there are gone.`)
  const { first } = untold
  if (first !== null) {
    const reason = 'What this event held was erased, and no event of the log tells by whom.'
    return { position, chain, bad: { position: first, reason } }
  }
  return { position, chain, bad: null }
}

/** Why an event cannot follow what is before it; null when it can. */
function fault(event: StoredEvent, before: Checkpoint): string | null {
  if (event.position !== before.position + 1) return 'The event is missing: removed, or under another position.'
  if (link(before.chain, event) !== event.chain)
    return 'The event does not continue the chain: it was edited, exchanged or inserted.'
  if (!isIntact(event.payload)) return 'The payload is not the one that was sealed.'
  if (!isIntact(event.who)) return 'The name or address is not the one that was sealed.'
  return null
}

function contradiction({ position, chain }: StoredEvent, checkpoint: Checkpoint | null): string | null {
  return checkpoint?.position === position && checkpoint.chain !== chain
    ? 'The checkpoint of this position has another chain: the log was written anew.'
    : null
}
