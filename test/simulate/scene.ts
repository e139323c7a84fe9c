import type { Command } from '../../commands/index.js'
import type { Account } from '../../commands/people/user/events.js'
import { migrate } from '../../migrations/migrate.js'
import { openLedger } from '../../src/app/openLedger.js'
import { systemOrigin } from '../../src/ledger/ledger.js'
import { issueInvitation, issueToken } from '../../src/ledger/secrets.js'
import type { Commit, Storage } from '../../src/storage/storage.js'
import { anAccount, anAdmin } from '../decide/people.js'
import { openMemory } from '../support/memoryStorage.js'

/** A token: what it is called in the history, and what its holder shows. */
export interface Token {
  readonly id: string
  readonly secret: string
}

/** What there is when a run begins, and the commits that make it. */
export interface Scene {
  readonly commits: readonly Commit[]
  readonly admin: Token
  /** May do everything that a user may; as may those behind it, which are revoked on the way. */
  readonly ada: Token
  readonly revocable: readonly Token[]
  /** Has a budget. */
  readonly spender: Token
  readonly invitations: readonly [string, string]
  /** The position behind which changes are sent to the one webhook. */
  readonly webhookAfter: number
}

/** The collection that all folders are in. */
export const HOME = 'home'
export const ADA = 'ada'
export const SPENDER = 'spender'
export const BUDGET = 100

const REVOCABLE = ['first', 'second', 'third']
const INVITED_HOURS = 10_000

/** A new log with all of a scene in it. */
export async function logWith({ commits }: Pick<Scene, 'commits'>, now: () => number): Promise<Storage> {
  const storage = openMemory()
  await migrate(storage, now)
  for (const commit of commits) await storage.commit(commit)
  return storage
}

/** Makes what runs begin with. */
export async function makeScene(now: () => number): Promise<Scene> {
  const memory = await logWith({ commits: [] }, now)
  const commits: Commit[] = []
  const write: Storage['write'] = (decide) =>
    memory.write(async (head) => {
      const commit = await decide(head)
      if (commit) commits.push(commit)
      return commit
    })
  const ledger = await openLedger({ ...memory, write }, () => null, undefined, now)
  const run = (command: Command) => ledger.run(command, systemOrigin)
  const user = async (id: string, account: Account): Promise<Token> => {
    const { secret, token } = issueToken({}, 0)
    await run({ type: 'CreateUser', id, account, token })
    return { id: token.tokenId, secret }
  }
  const admin = await user('admin', anAdmin('Admin'))
  const ada = await user(ADA, anAccount('Ada'))
  const spender = await user(SPENDER, anAccount('Spender', { llmAccess: true, llmMonthlyTokenLimit: BUDGET }))
  const revocable: Token[] = []
  for (const name of REVOCABLE) {
    const { secret, token } = issueToken({}, 0)
    await run({ type: 'CreateToken', userId: ADA, name, ...token })
    revocable.push({ id: token.tokenId, secret })
  }
  const invite = async (): Promise<string> => {
    const { secret, invitation } = issueInvitation(INVITED_HOURS, now())
    await run({ type: 'CreateInvitation', userId: ADA, invitation })
    return secret
  }
  const invitations = [await invite(), await invite()] as const
  const byAda = { ...systemOrigin, tokenId: ada.id }
  await ledger.run({ type: 'CreateCollection', id: HOME, name: 'Home' }, byAda)
  const content = { url: 'https://receiver.example', kinds: [], types: [], collectionId: null, description: '' }
  const byAdmin = { ...systemOrigin, tokenId: admin.id }
  const { position } = await ledger.run({ type: 'CreateWebhook', id: 'webhook', content }, byAdmin)
  const folder = {
    type: 'CreateFolder',
    id: 'shared',
    name: 'Shared',
    collectionId: HOME,
    parentFolderId: null
  } as const
  await ledger.run(folder, byAda)
  return { commits, admin, ada, spender, revocable, invitations, webhookAfter: position }
}
