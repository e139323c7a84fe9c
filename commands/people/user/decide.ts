import { nameKey } from '../../../projections/keys.js'
import { usersTable } from '../../../projections/users.js'
import { errors } from '../../../src/errors.js'
import type { NewEvent } from '../../../src/log/event.js'
import type { ReadStore, Row, TableSpec } from '../../../src/storage/storage.js'
import { type Context, type Deciders, requireAdmin, requireRevision } from '../../context.js'
import { nounOf, type Target } from '../../records/kind.js'
import { collectionKind, lockables } from '../../records/kinds.js'
import { type AvatarChanges, avatarIn, changedAvatar } from '../avatar/avatar.js'
import { emitToken } from '../token/events.js'
import { collectionsIn, requireScopes } from '../token/scopes.js'
import { ACCESS_LISTS, type Account, account, emitUser, noAccess } from './events.js'
import { SYSTEM_ID, SYSTEM_NAME } from './system.js'

/** A token as it is issued: the hub has drawn the secret and kept only its hash. */
export interface IssuedToken {
  readonly tokenId: string
  readonly prefix: string
  readonly hash: string
  /** True where agents may write with it; by default they only read. */
  readonly agentWrites?: boolean | undefined
  /** Until when it is in force, ISO 8601; by default until it is revoked. */
  readonly expiresAt?: string | null | undefined
  /** What it is limited to; by default it may do all that its account may. */
  readonly scopes?: readonly string[] | null | undefined
}

export type UserCommand =
  /** The internal account that migrations and the command line act as; made once. */
  | { readonly type: 'CreateSystemAccount' }
  | {
      readonly type: 'CreateUser'
      readonly id: string
      readonly account: Account
      readonly avatar?: AvatarChanges
      readonly token: IssuedToken
    }
  | ({
      readonly type: 'UpdateUser'
      readonly changes: { readonly [K in keyof Account]?: Account[K] | undefined }
      readonly avatar?: AvatarChanges
    } & Target)
  /** The caller's own. */
  | { readonly type: 'ChangeAvatar'; readonly id: string; readonly changes: AvatarChanges }
  | ({ readonly type: 'DeleteUser' } & Target)

/** Decides on one account (sections 4 Administration and 5 of the interface). */
export const userDeciders: Deciders<UserCommand> = {
  async CreateSystemAccount(_, { caller, read }) {
    requireAdmin(caller)
    return (await read.get(usersTable, SYSTEM_ID)) ? [] : [emitUser(SYSTEM_ID, 'UserCreated', systemAccount)]
  },
  async CreateUser({ id, account: wanted, avatar, token }, context) {
    const created = await decideNewUser(id, wanted, avatar, context)
    return [...created, await decideNewToken(id, wanted.name, token, context)]
  },
  async UpdateUser({ id, changes, avatar, ifRevision }, context) {
    const { caller, read } = context
    requireAdmin(caller)
    const row = await ownedUser(id, read)
    requireRevision(row, ifRevision)
    const now = account.parse(JSON.parse(row.body))
    if (id === caller.userId && (changes.role ?? now.role) !== now.role) throw errors.forbidden()
    const updated = settled({ ...now, ...defined(changes) })
    if (updated.role === 'admin') requireNoAccess(changes)
    // Who kept a name that another account shares, in an older log, may be changed as long as the name is left alone.
    if (updated.name !== now.name) requireFit(updated.name)
    const isRenamed = nameKey(updated.name) !== nameKey(now.name)
    if (isRenamed && (await isNameTaken(read, updated.name))) throw errors.nameTakenBy(updated.name)
    await requireKnown(updated.role === 'admin' ? {} : changes, context)
    const isSame = JSON.stringify(updated) === JSON.stringify(now)
    return [...(isSame ? [] : [emitUser(id, 'UserUpdated', updated)]), ...avatarEvents(row, avatar, context)]
  },
  async ChangeAvatar({ id, changes }, context) {
    if (id !== context.caller.userId) throw errors.forbidden()
    return avatarEvents(await ownedUser(id, context.read), changes, context)
  },
  async DeleteUser({ id, ifRevision }, { caller, read }) {
    requireAdmin(caller)
    const row = await ownedUser(id, read)
    if (id === caller.userId) throw errors.forbidden()
    requireRevision(row, ifRevision)
    return [emitUser(id, 'UserDeleted', {})]
  }
}

/** The event by which an account gets a token of this name, which is limited to what there is. */
export async function decideNewToken(
  userId: string,
  name: string,
  { tokenId, prefix, hash, agentWrites = false, expiresAt = null, scopes = null }: IssuedToken,
  { read, now }: Pick<Context, 'read' | 'now'>
): Promise<NewEvent> {
  if (expiresAt !== null && expiresAt <= now) throw errors.tokenEndPast()
  if (scopes) requireScopes(scopes)
  const { table } = collectionKind
  await requireRows(nounOf(collectionKind), collectionsIn(scopes ?? []) ?? [], table, read)
  const limited = scopes && [...new Set(scopes)]
  return emitToken(tokenId, 'TokenCreated', { userId, name, prefix, hash, agentWrites, expiresAt, scopes: limited })
}

function avatarEvents(
  row: { readonly id: string; readonly avatar: string | null },
  changes: AvatarChanges | undefined,
  { now }: Pick<Context, 'now'>
): readonly NewEvent[] {
  const after = changedAvatar(avatarIn(row), changes ?? {}, now)
  return after ? [emitUser(row.id, 'AvatarChanged', after)] : []
}

/** A new account: its name is free, and its access lists name what exists. */
export async function decideNewUser(
  id: string,
  wanted: Account,
  avatar: AvatarChanges | undefined,
  context: Context
): Promise<readonly NewEvent[]> {
  requireAdmin(context.caller)
  const created = settled(wanted)
  if (wanted.role === 'admin') requireNoAccess(wanted)
  requireFit(created.name)
  if (await isNameTaken(context.read, created.name)) throw errors.nameTaken()
  await requireKnown(created, context)
  return [emitUser(id, 'UserCreated', created), ...avatarEvents({ id, avatar: null }, avatar, context)]
}

const systemAccount: Account = { name: SYSTEM_NAME, role: 'admin', ...noAccess }

/** The row of an account that may be changed: 404 when there is none, 403 for the system account. */
export async function ownedUser(id: string, read: ReadStore): Promise<Row<typeof usersTable.columns>> {
  if (id === SYSTEM_ID) throw errors.forbidden()
  const row = await read.get(usersTable, id)
  if (!row) throw errors.notFound('User')
  return row
}

const LISTS = [...ACCESS_LISTS, 'llmModels'] as const
type Lists = { readonly [K in (typeof LISTS)[number]]?: Account[K] | undefined }

/** The account as it is stored: an administrator has no access lists and no LLM access; the wildcard stands alone. */
function settled(wanted: Account): Account {
  if (wanted.role === 'admin') return { ...systemAccount, name: wanted.name }
  for (const list of LISTS) {
    if (wanted[list].includes('*') && wanted[list].length > 1) throw errors.mixedWildcard()
  }
  return account.parse(wanted)
}

/** Refuses to give an administrator what such accounts do not have: dropping it would hide a mistake. */
function requireNoAccess({ llmAccess = false, ...lists }: Lists & { readonly llmAccess?: boolean | undefined }): void {
  if (ACCESS_LISTS.some((list) => (lists[list] ?? []).length > 0)) throw errors.adminAccess()
  if (llmAccess) throw errors.adminLlmAccess()
}

/** A name that an account may take, if nobody has it. */
function requireFit(name: string): void {
  const key = nameKey(name)
  if (key === '') throw errors.nameEmpty()
  if (key === SYSTEM_NAME) throw errors.nameReserved(name)
}

/** True where an account is called so, however its letters are written. */
export async function isNameTaken(read: ReadStore, name: string): Promise<boolean> {
  return (await read.list(usersTable, 'byNameKey', [nameKey(name)], { limit: 1, body: false })).length > 0
}

/** Only the lists that were submitted are checked, in this order; the first that holds an unknown id refuses. */
async function requireKnown(lists: Lists, { read, models }: Context) {
  for (const kind of lockables) await requireRows(nounOf(kind), lists[kind.access], kind.table, read)
  const unknown = (lists.llmModels ?? []).filter((id) => id !== '*' && models && !models.has(id))
  if (unknown.length > 0) throw errors.unknownIds('LLM model', unknown)
}

async function requireRows(label: string, ids: readonly string[] = [], table: TableSpec, read: ReadStore) {
  const wanted = [...new Set(ids)].filter((id) => id !== '*')
  if (wanted.length === 0) return
  const found = new Set((await read.getAll(table, wanted, { body: false })).map(({ id }) => id))
  const unknown = wanted.filter((id) => !found.has(id))
  if (unknown.length > 0) throw errors.unknownIds(label, unknown)
}

function defined<T extends object>(changes: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>
  }
}
