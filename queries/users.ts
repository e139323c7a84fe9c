import { SYSTEM_ID } from '../commands/user/system.js'
import { collectionsTable } from '../projections/collections.js'
import { environmentsTable } from '../projections/environments.js'
import { type JsonText, splice } from '../projections/record.js'
import { snippetsTable } from '../projections/snippets.js'
import { usersTable } from '../projections/users.js'
import type { ReadStore, TableSpec } from '../src/storage/storage.js'
import { avatarOf } from './avatar.js'
import { accountOf, type UserRow } from './callers.js'
import type { Rows } from './listing.js'

/** An account as administrators see it, with the fields that the latest clients require. */
export function userRecord(row: UserRow): JsonText {
  const { createdAt, updatedAt, name, id } = row
  return splice(row.body, { createdAt, updatedAt, ...avatarOf(id, name), liveServerAccess: [], livePageAccess: [] })
}

/** Every account, the system's among them, by name. */
export const allUsers: Rows = { table: usersTable, index: 'byName', under: [] }

/** Every account but the system's, by name. */
export async function listUsers(read: ReadStore): Promise<readonly UserRow[]> {
  return (await read.list(usersTable, 'byName', [])).filter(({ id }) => id !== SYSTEM_ID)
}

/**
 * What is stale in the stored access lists of these accounts: for each a text per id that nothing has.
 * `models` are the ids on offer; null where no LLM is configured and ids are not judged.
 */
export async function staleAccess(
  read: ReadStore,
  rows: readonly UserRow[],
  models: ReadonlySet<string> | null
): Promise<ReadonlyMap<string, readonly string[]>> {
  const accounts = rows.map((row) => ({ id: row.id, account: accountOf(row) }))
  const all = (list: 'collectionAccess' | 'environmentAccess' | 'snippetAccess') =>
    accounts.flatMap(({ account }) => account[list])
  const [collections, environments, snippets] = await Promise.all([
    existing(read, collectionsTable, all('collectionAccess')),
    existing(read, environmentsTable, all('environmentAccess')),
    existing(read, snippetsTable, all('snippetAccess'))
  ])
  return new Map(
    accounts.map(({ id, account }) => [
      id,
      [
        ...unknown('collection', account.collectionAccess, collections),
        ...unknown('environment', account.environmentAccess, environments),
        ...unknown('snippet', account.snippetAccess, snippets),
        ...(models ? unknown('LLM model', account.llmModels, models) : [])
      ]
    ])
  )
}

async function existing(read: ReadStore, table: TableSpec, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const wanted = [...new Set(ids)].filter((id) => id !== '*')
  return new Set((await read.getAll(table, wanted, { body: false })).map(({ id }) => id))
}

function unknown(label: string, ids: readonly string[], known: ReadonlySet<string>): readonly string[] {
  return ids.filter((id) => id !== '*' && !known.has(id)).map((id) => `Unknown ${label} id "${id}".`)
}
