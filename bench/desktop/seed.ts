import { openReadyLedger } from '../../src/app/hub.js'
import { migrateDatabase } from '../../src/app/start.js'
import type { HubConfig } from '../../src/config/types.js'
import { createUser, type Filled, fill } from '../http/seed.js'

const COLLECTIONS = 50
const REQUESTS = 20
const FOLLOWERS = 500
const DRAGGED = 50

/** What desktops find: the collections that they show, and one to drag things about in. */
export interface DesktopSeed {
  readonly secret: string
  readonly collections: readonly string[]
  readonly dragged: Filled
  /** Tokens of further accounts, which see everything. */
  readonly followers: readonly string[]
}

/** Sets up an empty database for it. */
export async function seedDesktop(config: HubConfig): Promise<DesktopSeed> {
  await migrateDatabase(config)
  const ledger = await openReadyLedger(config)
  try {
    const { secret, agent } = await createUser(ledger, 'Margaret Hamilton')
    const collections: string[] = []
    for (let i = 1; i < COLLECTIONS; i++) collections.push((await fill(ledger, agent, `Collection ${i}`, REQUESTS)).id)
    const dragged = await fill(ledger, agent, 'Dragged', DRAGGED)
    const names = Array.from({ length: FOLLOWERS }, (_, i) => `Follower ${i}`)
    const followers = await Promise.all(names.map((name) => createUser(ledger, name)))
    return { secret, collections: [...collections, dragged.id], dragged, followers: followers.map((one) => one.secret) }
  } finally {
    await ledger.close()
  }
}
