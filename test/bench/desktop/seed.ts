import { randomUUID } from 'node:crypto'
import type { Account } from '../../../commands/user/events.js'
import type { HubConfig } from '../../../src/config/types.js'
import { openReadyLedger } from '../../../src/hub.js'
import { drawSecret } from '../../../src/issue.js'
import { type CommandOrigin, type Ledger, systemOrigin } from '../../../src/ledger.js'
import { migrateDatabase } from '../../../src/start.js'
import { requestContent } from '../http/content.js'

const COLLECTIONS = 50
const REQUESTS = 20
const FOLLOWERS = 500
const DRAGGED = 50

/** What desktops find: the collections that they show, and one to drag things about in. */
export interface DesktopSeed {
  readonly secret: string
  readonly collections: readonly string[]
  readonly dragged: { readonly id: string; readonly requests: readonly string[] }
  /** Tokens of further accounts, which see everything. */
  readonly followers: readonly string[]
}

/** Sets up an empty database for it. */
export async function seedDesktop(config: HubConfig): Promise<DesktopSeed> {
  await migrateDatabase(config)
  const ledger = await openReadyLedger(config)
  try {
    const { secret, agent } = await user(ledger, 'Margaret Hamilton')
    const collections: string[] = []
    for (let i = 1; i < COLLECTIONS; i++)
      collections.push((await filled(ledger, agent, `Collection ${i}`, REQUESTS)).id)
    const dragged = await filled(ledger, agent, 'Dragged', DRAGGED)
    const names = Array.from({ length: FOLLOWERS }, (_, i) => `Follower ${i}`)
    const followers = await Promise.all(names.map((name) => user(ledger, name)))
    return { secret, collections: [...collections, dragged.id], dragged, followers: followers.map((one) => one.secret) }
  } finally {
    await ledger.close()
  }
}

async function user(ledger: Ledger, name: string): Promise<{ readonly secret: string; readonly agent: CommandOrigin }> {
  const { secret, ...issued } = drawSecret('hbk_')
  const tokenId = randomUUID()
  const all = ['*']
  const account: Account = {
    ...{ name, role: 'user', llmAccess: false, llmModels: [], llmMonthlyTokenLimit: null },
    ...{ collectionAccess: all, environmentAccess: all, snippetAccess: all, liveServerAccess: all, livePageAccess: all }
  }
  await ledger.run({ type: 'CreateUser', id: randomUUID(), account, token: { tokenId, ...issued } }, systemOrigin)
  return { secret, agent: { tokenId, address: null, requestId: null } }
}

async function filled(ledger: Ledger, agent: CommandOrigin, name: string, count: number) {
  const id = randomUUID()
  await ledger.run({ type: 'CreateCollection', id, name }, agent)
  const requests = Array.from({ length: count }, () => randomUUID())
  const place = { collectionId: id, folderId: null }
  await Promise.all(
    requests.map((one, i) =>
      ledger.run({ type: 'CreateRequest', id: one, ...place, content: requestContent(i) }, agent)
    )
  )
  return { id, requests }
}
