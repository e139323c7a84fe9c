import { nameKey } from '../../commands/keys.js'
import { groupsTable } from '../../commands/people/group/table.js'
import { invitationsTable } from '../../commands/people/invitation/table.js'
import { tokensTable } from '../../commands/people/token/table.js'
import { SYSTEM_ID } from '../../commands/people/user/system.js'
import { usersTable } from '../../commands/people/user/table.js'
import { nameOf } from '../../commands/record.js'
import type { TenantRow } from '../../commands/tenants/tenant/decide.js'
import { type TokenRow, tokenParts, type UserRow } from '../../queries/callers.js'
import type { GroupRow } from '../../queries/groups.js'
import { type InvitationRow, listInvitations, statesOf } from '../../queries/invitations.js'
import { findTenant } from '../../queries/tenants.js'
import { listUsers } from '../../queries/users.js'
import type { Ledger } from '../../src/ledger/ledger.js'
import { wholeRows } from '../../src/readmodel/manyRows.js'
import type { Columns, PagedReads, ReadStore, Row, TableSpec } from '../../src/storage/storage.js'
import { CliError, didYouMean } from './errors.js'

/** So many of several that go by one name are listed. */
const LISTED = 20
/** In a larger team nobody is suggested. */
const SUGGESTED_FROM = 10_000

/** Something that a name may stand for. */
export interface Choice {
  readonly id: string
  readonly name: string
  /** What tells it from others of that name. */
  readonly where: string
}

/** Refuses a name that several go by, with what there is to choose from. `plural` is what they are: `collections`. */
export function severalNamed(text: string, plural: string, choices: readonly Choice[]): CliError {
  const more = choices.length > LISTED ? [`  … and ${choices.length - LISTED} more`] : []
  const lines = choices.slice(0, LISTED).map(({ id, name, where }) => `  ${id}  ${name}  ${where}`.trimEnd())
  return new CliError(`Several ${plural} go by "${text}". Give the id of one:`, { help: [...lines, ...more] })
}

/**
 * The one that a name stands for of those that go by it, whatever their case: the one that is called exactly so, else the only one;
 * null for none. Throws a `CliError` where there are several.
 */
export function chosen<T>(text: string, plural: string, alike: readonly T[], choiceOf: (one: T) => Choice): T | null {
  const choices = alike.map((one) => ({ one, ...choiceOf(one) }))
  const exact = choices.filter(({ name }) => name === text)
  const [found, ...others] = exact.length > 0 ? exact : choices
  if (others.length > 0) throw severalNamed(text, plural, exact.length > 0 ? exact : choices)
  return found?.one ?? null
}

/** The account with this id, or else with this name; null where there is none. Throws a `CliError` where several go by it. */
export async function findUser(readModel: ReadStore, text: string): Promise<UserRow | null> {
  const row = await readModel.get(usersTable, text)
  if (row) return row
  const named = await readModel.list(usersTable, 'byNameKey', [nameKey(text)], { limit: LISTED, body: false })
  const found = chosen(text, 'accounts', named, ({ id, name, role }) => ({ id, name, where: role }))
  return found && readModel.get(usersTable, found.id)
}

/** The names of the accounts that these are of, by their ids; an account that is gone has none. */
export async function userNames<T>(
  readModel: Pick<ReadStore, 'getAll'>,
  things: readonly T[],
  userOf: (thing: T) => string | null
): Promise<ReadonlyMap<string | null, string>> {
  const ids = things.map(userOf).filter((id) => id !== null)
  const rows = await readModel.getAll(usersTable, [...new Set(ids)], { body: false })
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** An account by its name and id; one that is gone by its id, and nobody as `-`. */
export function personText(names: ReadonlyMap<string | null, string>, id: string | null): string {
  return names.has(id) ? `${names.get(id)} (${id})` : (id ?? '-')
}

/** The group with this id, or else with this name. Throws a `CliError` where there is none. */
export async function groupNamed(readModel: ReadStore, text: string): Promise<GroupRow> {
  const [named] = await readModel.list(groupsTable, 'byNameKey', [nameKey(text)], { limit: 1 })
  const found = (await readModel.get(groupsTable, text)) ?? named
  if (!found) throw new CliError(`No group found with id or name "${text}". See: hub group list`)
  return found
}

/** As `findUser`, for a command that needs one: throws a `CliError` where there is none, with the name that may be meant. */
export async function userNamed(readModel: ReadStore, text: string): Promise<UserRow> {
  const found = await findUser(readModel, text)
  if (found) return found
  const count = await readModel.count(usersTable, 'byName', [])
  const users = count > SUGGESTED_FROM ? [] : await listUsers(readModel)
  const help = didYouMean(
    text,
    users.map(({ name }) => name)
  )
  throw new CliError(`No user found with id ${text}.`, { help })
}

/**
 * The token with this id, or else with this name or this beginning of its secret, of those that pass; null where there is none.
 * Throws a `CliError` where several go by it.
 */
export async function findToken(
  readModel: Pick<PagedReads, 'get' | 'getAll' | 'getPage' | 'listPart'>,
  text: string,
  passes: (row: TokenRow) => boolean = () => true
): Promise<TokenRow | null> {
  const row = await readModel.get(tokensTable, text)
  if (row) return row
  const key = nameKey(text)
  const [byPrefix, alike]: [TokenRow[], TokenRow[]] = [[], []]
  for await (const part of tokenParts(readModel)) {
    const ids = part.filter(passes).map(({ id }) => id)
    for await (const row of wholeRows(readModel, tokensTable, ids)) {
      if (row.prefix === text) byPrefix.push(row)
      if (nameKey(nameOf(row)) === key) alike.push(row)
    }
  }
  if (byPrefix.length === 1) return byPrefix[0] ?? null
  const names = await userNames(readModel, alike, ({ userId }) => userId)
  const where = (row: TokenRow) => `of ${names.get(row.userId) ?? row.userId}, ${row.prefix}`
  return chosen(text, 'tokens', alike, (row) => ({ id: row.id, name: nameOf(row), where: where(row) }))
}

/**
 * The pending invitation with this id, or else that of the account with this name. Throws a `CliError` where there is none, and where
 * several are pending.
 */
export async function pendingInvitation(readModel: ReadStore, text: string, now: string): Promise<InvitationRow> {
  const row = await readModel.get(invitationsTable, text)
  const user = row ? null : await findUser(readModel, text)
  const rows = row ? [row] : (await listInvitations(readModel)).filter(({ userId }) => userId === user?.id)
  const stateIn = await statesOf(rows, readModel, now)
  const pending = rows.filter((one) => stateIn(one).status === 'pending')
  const choiceOf = ({ id, expiresAt }: InvitationRow) => ({ id, name: text, where: `until ${expiresAt}` })
  const found = chosen(text, 'invitations', pending, choiceOf)
  if (!found) throw new CliError(`No pending invitation found with id ${text}.`)
  return found
}

/** The tenant that goes by an id. Throws a `CliError` where none does. */
export async function tenantWithId(read: Pick<ReadStore, 'list'>, id: string): Promise<TenantRow> {
  const row = await findTenant(read, id)
  if (!row) throw new CliError(`No tenant found with id "${id}". See: hub tenant list`)
  return row
}

/**
 * An account that a command is about to work on, by its id or name. Throws a `CliError` where there is none, and for the system
 * account.
 */
export async function changeableUser({ readModel }: Ledger, idOrName: string): Promise<UserRow> {
  const row = idOrName === SYSTEM_ID ? null : await userNamed(readModel, idOrName)
  if (!row || row.id === SYSTEM_ID)
    throw new CliError('The internal system account cannot be changed, deleted or given tokens.')
  return row
}

/** The row with this id. Throws a `CliError` that says `gone` where there is none. */
export async function existing<C extends Columns>(
  readModel: ReadStore,
  table: TableSpec<C>,
  id: string,
  gone: string
): Promise<Row<C>> {
  const row = await readModel.get(table, id)
  if (!row) throw new CliError(gone)
  return row
}

/** The account that a command has just made or changed. */
export function currentUser({ readModel }: Ledger, id: string): Promise<UserRow> {
  return existing(readModel, usersTable, id, 'The user was deleted in the same moment.')
}

/** The group that a command has just made or changed. */
export function currentGroup({ readModel }: Ledger, id: string): Promise<GroupRow> {
  return existing(readModel, groupsTable, id, 'The group was deleted in the same moment.')
}

/** The token that a command has just made. */
export function currentToken({ readModel }: Ledger, id: string): Promise<TokenRow> {
  return existing(readModel, tokensTable, id, 'The token was deleted in the same moment.')
}
