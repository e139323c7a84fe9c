import type { Head, NewEvent } from '../../src/log/event.js'
import { type Appended, placedBehind } from '../../test/support/append.js'

const BATCH = 1000
const THEN = Date.UTC(2025, 0, 1)
const cause = { actorId: 'ada', actorName: 'Ada', tokenId: 'token', address: '192.0.2.1', requestId: 'request' }

/** Gives events their places behind a head, in batches as large commits have them, a second of the year 2025 for each event. */
export function* batches(events: Iterable<NewEvent>, head: Head): Generator<Appended> {
  const versions = new Map<string, number>()
  let [after, done] = [head, 0]
  let some: NewEvent[] = []
  const placed = () => {
    done += some.length
    const happening = { events: some, cause, commandId: `batch-${done}`, now: THEN + done * 1000 }
    const batch = placedBehind(after, happening, versions)
    after = batch.head
    some = []
    return batch
  }
  for (const event of events) {
    some.push(event)
    if (some.length === BATCH) yield placed()
  }
  if (some.length > 0) yield placed()
}
