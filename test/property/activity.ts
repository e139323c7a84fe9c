import * as assert from 'uvu/assert'
import { feedEntryOf } from '../../src/followers/feed/change.js'
import type { Ledger } from '../../src/ledger/ledger.js'
import { pages } from '../../src/log/pages.js'
import { type Activity, activityOf } from '../../src/records/history/activity.js'

/** What each collection has seen, newest first, as the events themselves say: by the collections that they name. */
async function told({ storage }: Ledger): Promise<ReadonlyMap<string, readonly number[]>> {
  const seen = new Map<string, number[]>()
  const { position: head } = await storage.head()
  for await (const page of pages((after, limit) => storage.readLog(after, limit), 0, head, 500)) {
    for (const { change, collections } of page.map(feedEntryOf)) {
      for (const id of new Set(collections)) seen.set(id, [change.position, ...(seen.get(id) ?? [])])
    }
  }
  return seen
}

/** Pages of any size, from any position back, are what the events themselves say. */
export async function checkActivity(ledger: Ledger): Promise<void> {
  for (const [id, expected] of await told(ledger)) {
    for (const limit of [1, 3, 200]) {
      const found: Activity[] = []
      for (let before: number | undefined; ; ) {
        const { events, next } = await activityOf(ledger, id, { limit, before })
        found.push(...events)
        if (next === null) break
        before = next
      }
      assert.equal(
        found.map(({ position }) => position),
        expected,
        `${id}, ${limit} at a time`
      )
    }
  }
}
