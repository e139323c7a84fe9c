import { grantsOf } from '../commands/people/grant/grants.js'
import { membershipsOf } from '../commands/people/group/membership.js'
import { type Account, toldRoles } from '../commands/people/user/events.js'
import { SYSTEM_ID } from '../commands/people/user/system.js'
import { usersTable } from '../commands/people/user/table.js'
import { type JsonText, splice } from '../commands/record.js'
import { nounOf } from '../commands/records/kind.js'
import { lockables } from '../commands/records/kinds.js'
import type { ReadStore, TableSpec } from '../src/storage/storage.js'
import { avatarFields } from './avatars.js'
import { accountOf, type UserRow } from './callers.js'
import type { Rows } from './listing.js'

/** An account as the command line tells it. */
export function userRecord(row: UserRow): JsonText {
  const { createdAt, updatedAt, isService, disabledAt } = row
  const [grants, groups] = [grantsOf(row), membershipsOf(row)]
  return splice(row.body, {
    ...{ createdAt, updatedAt, ...avatarFields(row) },
    ...(grants.length > 0 && { grants }),
    ...(groups.length > 0 && { groups }),
    ...(isService && { isService }),
    ...(disabledAt !== null && { disabledAt })
  })
}

/** The same as it is answered to clients, which do not all know every role. */
export function toldUser(row: UserRow): JsonText {
  const record = userRecord(row)
  const { role, exactRole } = toldRoles(accountOf(row).role)
  return splice(role === exactRole ? record : JSON.stringify({ ...JSON.parse(record), role }), { exactRole })
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
  const staleIn = await Promise.all(
    lockables.map(async (kind) => {
      const { access, table } = kind
      const ids = accounts.flatMap(({ account }) => account[access])
      const known = await existing(read, table, ids)
      return (account: Account) => unknown(nounOf(kind), account[access], known)
    })
  )
  const inModels = (account: Account) => (models ? unknown('LLM model', account.llmModels, models) : [])
  const stale = [...staleIn, inModels]
  return new Map(accounts.map(({ id, account }) => [id, stale.flatMap((staleOf) => staleOf(account))]))
}

async function existing(read: ReadStore, table: TableSpec, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const wanted = [...new Set(ids)].filter((id) => id !== '*')
  return new Set((await read.getAll(table, wanted, { body: false })).map(({ id }) => id))
}

function unknown(label: string, ids: readonly string[], known: ReadonlySet<string>): readonly string[] {
  return ids.filter((id) => id !== '*' && !known.has(id)).map((id) => `Unknown ${label} id "${id}".`)
}

/**
 * What of the models that accounts are granted is not on offer, a sentence for each id, and how many accounts have no model left.
 * `offered` are the ids on offer; null where no LLM is configured and nothing is judged.
 */
export function grantWarnings(
  accounts: Iterable<Pick<Account, 'llmAccess' | 'llmModels'>>,
  offered: ReadonlySet<string> | null
): readonly string[] {
  if (!offered) return []
  const granted = new Map<string, number>()
  let without = 0
  for (const { llmAccess, llmModels } of accounts) {
    if (!llmAccess) continue
    const gone = llmModels.filter((id) => id !== '*' && !offered.has(id))
    for (const id of new Set(gone)) granted.set(id, (granted.get(id) ?? 0) + 1)
    if (gone.length === llmModels.length) without++
  }
  return [
    ...[...granted].map(([id, count]) => `${id} is granted to ${accountsOf(count)}, and is not offered.`),
    ...(without > 0 ? [`${accountsOf(without)} may use models, and none that is offered: see \`hub user list\`.`] : [])
  ]
}

function accountsOf(count: number): string {
  return count === 1 ? '1 account' : `${count} accounts`
}
