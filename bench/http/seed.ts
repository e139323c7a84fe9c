import { randomUUID } from 'node:crypto'
import type { Account } from '../../commands/people/user/events.js'
import { openReadyLedger } from '../../src/app/hub.js'
import { migrateDatabase } from '../../src/app/start.js'
import type { HubConfig } from '../../src/config/types.js'
import { type CommandOrigin, type Ledger, systemOrigin } from '../../src/ledger/ledger.js'
import { drawSecret } from '../../src/ledger/secrets.js'
import { requestContent } from './content.js'

const COLLECTIONS = 50
const LISTED = 100
const MOVED = 30

/** A collection with its requests. */
export interface Filled {
  readonly id: string
  readonly requests: readonly string[]
}

/** What there is to ask for, and the token to ask with. */
export interface Seed {
  readonly secret: string
  readonly listed: Filled
  readonly edited: Filled
  readonly moved: Filled
  /** Empty at first; several, so that each comes to hold what collections hold. */
  readonly grown: readonly Filled[]
}

/** Sets up an empty database: one user account who sees 50 collections, some with requests. */
export async function seed(config: HubConfig): Promise<Seed> {
  await migrateDatabase(config)
  const ledger = await openReadyLedger(config)
  try {
    return await fillSeed(ledger)
  } finally {
    await ledger.close()
  }
}

/** The same on a ledger that is open. */
export async function fillSeed(ledger: Ledger): Promise<Seed> {
  const { secret, agent } = await createUser(ledger, 'Margaret Hamilton')
  const [listed, edited, moved] = [
    await fill(ledger, agent, 'Listed', LISTED),
    await fill(ledger, agent, 'Edited', LISTED),
    await fill(ledger, agent, 'Moved', MOVED)
  ]
  const grown: Filled[] = []
  for (let i = 3; i < COLLECTIONS; i++) grown.push(await fill(ledger, agent, `Collection ${i}`, 0))
  return { secret, listed, edited, moved, grown }
}

/** A new user account that sees everything and may not chat, but for what is said of it; its token, and what acts by it. */
export async function createUser(ledger: Ledger, name: string, more: Partial<Account> = {}) {
  const { secret, ...issued } = drawSecret('hbk_')
  const [id, tokenId] = [randomUUID(), randomUUID()]
  const all = more.role === 'admin' ? [] : ['*']
  const account: Account = {
    ...{ name, role: 'user', llmAccess: false, llmModels: [], llmMonthlyTokenLimit: null, collectionAccess: all },
    ...{ environmentAccess: all, snippetAccess: all, liveServerAccess: all, livePageAccess: all, ...more }
  }
  await ledger.run({ type: 'CreateUser', id, account, token: { tokenId, ...issued } }, systemOrigin)
  return { id, secret, agent: { tokenId, address: null, requestId: null } }
}

/** A new collection with so many requests. */
export async function fill(ledger: Ledger, agent: CommandOrigin, name: string, requests: number): Promise<Filled> {
  const id = randomUUID()
  await ledger.run({ type: 'CreateCollection', id, name }, agent)
  const ids = Array.from({ length: requests }, () => randomUUID())
  const created = ids.map((request, i) => {
    const command = { type: 'CreateRequest', id: request, collectionId: id, folderId: null } as const
    return ledger.run({ ...command, content: requestContent(i) }, agent)
  })
  await Promise.all(created)
  return { id, requests: ids }
}
