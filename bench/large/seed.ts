import { emitRequest } from '../../commands/records/request/events.js'
import { openStorage } from '../../src/app/databases.js'
import { openReadyLedger } from '../../src/app/hub.js'
import { rebuildInThread } from '../../src/app/rebuildThread.js'
import { migrateDatabase } from '../../src/app/start.js'
import type { HubConfig } from '../../src/config/types.js'
import type { NewEvent } from '../../src/log/event.js'
import { collection, content } from '../../test/decide/made.js'
import { createUser } from '../http/seed.js'
import { batches } from '../support/batches.js'

/** How large a hub is made. */
export interface Sizes {
  readonly collections: number
  /** Of which `long` are in one collection, `COMMON` in another, and the rest spread over the others. */
  readonly requests: number
  readonly long: number
  readonly events: number
  readonly users: number
}

/** What was made. */
export interface LargeSeed {
  /** The token of an account that sees everything. */
  readonly secret: string
  /** The token of one that sees fifty collections. */
  readonly fifty: string
}

/** The collection of `long` requests, and the one of `COMMON`. */
export const [LONG, USUAL] = ['c0', 'c1']
/** As many requests has the collection that lists are timed of. */
export const COMMON = 100
const SEEN = 50

/** Fills an empty database: the log in large commits, the read tables by a rebuild, accounts as the hub makes them. */
export async function seedLarge(config: HubConfig, sizes: Sizes): Promise<LargeSeed> {
  await migrateDatabase(config)
  const storage = await openStorage(config.db)
  try {
    for (const batch of batches(eventsOf(sizes), await storage.head())) await storage.commit({ ...batch, ops: [] })
  } finally {
    await storage.close()
  }
  await rebuildInThread(config, false)
  const ledger = await openReadyLedger(config)
  try {
    const { secret } = await createUser(ledger, 'Margaret Hamilton')
    const collectionAccess = Array.from({ length: SEEN }, (_, at) => `c${at}`)
    let fifty = ''
    for (let i = 0; i < sizes.users; i++) fifty = (await createUser(ledger, `User ${i}`, { collectionAccess })).secret
    return { secret, fifty }
  } finally {
    await ledger.close()
  }
}

/** A request's id by its number. The first `long` are in one collection, and the next hundred in another. */
export function requestId(number: number): string {
  return `r${number}`
}

function* eventsOf({ collections, requests, long, events }: Sizes): Generator<NewEvent> {
  for (let i = 0; i < collections; i++) yield collection(`c${i}`, `Collection ${i}`)
  const place = (i: number) => ({
    collectionId: i < long ? LONG : i < long + COMMON ? USUAL : `c${2 + (i % (collections - 2))}`,
    folderId: null,
    sortOrder: 1024 * (i + 1)
  })
  const made = (i: number, version: number) =>
    content(`Request ${i}`, { url: `{{host}}/orders/${i}`, body: `{"order":${i},"version":${version}}` })
  for (let i = 0; i < requests; i++)
    yield emitRequest(requestId(i), 'RequestCreated', { ...place(i), content: made(i, 0) })
  for (let done = collections + requests; done < events; done++) {
    // Each was saved again and again, though not in their order.
    const i = (done * 7919) % requests
    yield emitRequest(requestId(i), 'RequestUpdated', { ...place(i), content: made(i, done) })
  }
}
