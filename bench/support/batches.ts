import type { Head, NewEvent } from '../../src/log/event.js'
import { type Appended, placedBehind } from '../../test/support/append.js'

const BATCH_EVENTS = 1000
const BATCH_BYTES = 4 * 1024 * 1024
const THEN = Date.UTC(2025, 0, 1)
const ADA = { actorId: 'ada', actorName: 'Ada', tokenId: 'token', address: '192.0.2.1', requestId: 'request' }

/** Gives events their places behind a head, in batches as large commits have them, a second of the year 2025 to each. */
export function* batches(events: Iterable<NewEvent>, head: Head): Generator<Appended> {
  const versions = new Map<string, number>()
  let [after, bytes] = [head, 0]
  let some: NewEvent[] = []
  const placed = () => {
    const now = THEN + (after.position + some.length) * 1000
    const batch = placedBehind(after, { events: some, cause: ADA, commandId: `batch-${after.position}`, now }, versions)
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
