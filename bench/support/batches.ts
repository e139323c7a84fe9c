import type { CommandResult } from '../../src/ledger/sequencing.js'
import type { Head, NewEvent } from '../../src/log/event.js'
import { type Appended, placedBehind } from '../../test/support/append.js'

const BATCH_EVENTS = 1000
const BATCH_BYTES = 4 * 1024 * 1024
const THEN = Date.UTC(2025, 0, 1)
const ADA = { actorId: 'ada', actorName: 'Ada', tokenId: 'token', address: '192.0.2.1', requestId: 'request' }

/** Who has done it and when, by the position that it comes to, and how far each stream has come, which is brought forward. */
interface Happened {
  readonly cause: CommandResult['cause']
  readonly timeOf: (position: number) => number
  readonly versions: Map<string, number>
}

/** Gives events their places behind a head, in batches as large commits have them; by default a second of the year 2025 to each. */
export function* batches(
  events: Iterable<NewEvent>,
  head: Head,
  { cause, timeOf, versions }: Happened = {
    cause: ADA,
    timeOf: (position) => THEN + position * 1000,
    versions: new Map()
  }
): Generator<Appended> {
  let [after, bytes] = [head, 0]
  let some: NewEvent[] = []
  const placed = () => {
    const now = timeOf(after.position + some.length)
    const batch = placedBehind(after, { events: some, cause, commandId: `batch-${after.position}`, now }, versions)
    after = batch.head
    some = []
    bytes = 0
    return batch
  }
  for (const event of events) {
    some.push(event)
    bytes += JSON.stringify(event.data).length
    if (some.length === BATCH_EVENTS || bytes >= BATCH_BYTES) yield placed()
  }
  if (some.length > 0) yield placed()
}
