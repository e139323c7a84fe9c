import { errors } from '../../../src/errors.js'
import { LIMITS } from '../../../src/limits.js'
import type { NewEvent } from '../../../src/log/event.js'
import type { ReadStore, Row, TableSpec } from '../../../src/storage/storage.js'
import {
  type Caller,
  type Context,
  type Deciders,
  requireAccountAdmin,
  requireAdmin,
  requireRevision
} from '../../context.js'
import { nameKey } from '../../keys.js'
import { emitBudget } from '../../llm/budget/events.js'
import { llmBudgetsTable } from '../../llm/budget/table.js'
import { nounOf, type Target } from '../../records/kind.js'
import { collectionKind, lockables } from '../../records/kinds.js'
import { type AvatarChanges, avatarIn, changedAvatar } from '../avatar/avatar.js'
import { emitToken } from '../token/events.js'
import { collectionsIn, requireScopes } from '../token/scopes.js'
import { isInForce, tokensTable } from '../token/table.js'
import {
  ACCESS_LISTS,
  type Account,
  account,
  type DISABLED_BY,
  emitUser,
  noAccess,
  type Role,
  toldRole
} from './events.js'
import { SYSTEM_ID, SYSTEM_NAME } from './system.js'
import { usersTable } from './table.js'

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
      /** True for that of a machine. */
      readonly isService?: boolean
      readonly avatar?: AvatarChanges
      readonly token: IssuedToken
    }
  | ({
      readonly type: 'UpdateUser'
      readonly changes: { readonly [K in keyof Account]?: Account[K] | undefined }
      /** True where the role may be what answers tell in place of the account's own (`toldRole`). */
      readonly isRoleAsTold?: boolean
      readonly avatar?: AvatarChanges
    } & Target)
  /** Nothing is let in as the account any more, or again. */
  | ({ readonly type: 'DisableUser'; readonly by: (typeof DISABLED_BY)[number] } & Target)
  | ({ readonly type: 'EnableUser' } & Target)
  /** The caller's own. */
  | { readonly type: 'ChangeAvatar'; readonly id: string; readonly changes: AvatarChanges }
  | ({ readonly type: 'DeleteUser' } & Target)

/** Decides on one account (sections 4 Administration and 5 of the interface). */
export const userDeciders: Deciders<UserCommand> = {
  async CreateSystemAccount(_, { caller, read }) {
    requireAdmin(caller)
    return (await read.get(usersTable, SYSTEM_ID)) ? [] : [emitUser(SYSTEM_ID, 'UserCreated', systemAccount)]
  },
  async CreateUser({ id, account: wanted, isService, avatar, token }, context) {
    const created = await decideNewUser(id, wanted, avatar, context)
    const marked = isService ? [emitUser(id, 'UserMarkedAsService', {})] : []
    return [...created, ...marked, await decideNewToken(id, wanted.name, token, context)]
  },
  async UpdateUser({ id, changes, isRoleAsTold, avatar, ifRevision }, context) {
    const { caller, read } = context
    const row = await managedUser({ id, ifRevision }, context)
    const now = account.parse(JSON.parse(row.body))
    if (isRoleAsTold) requireSeenRole(now.role, changes.role)
    if (id === caller.userId && (changes.role ?? now.role) !== now.role) throw errors.forbidden()
    const updated = settled({ ...now, ...defined(changes) })
    requireRole(caller, updated.role)
    if (updated.role !== 'user') requireNoAccess(changes)
    // Who kept a name that another account shares, in an older log, may be changed as long as the name is left alone.
    if (updated.name !== now.name) requireFit(updated.name)
    const isRenamed = nameKey(updated.name) !== nameKey(now.name)
    if (isRenamed && (await isNameTaken(read, updated.name))) throw errors.nameTakenBy(updated.name)
    await requireKnown(updated.role === 'user' ? changes : {}, context)
    const isSame = JSON.stringify(updated) === JSON.stringify(now)
    // They would be in force again once the account is a user's. Older releases have left them.
    const ungranted = row.grants !== null && (updated.role !== 'user' || now.role !== 'user')
    return [
      ...(isSame ? [] : [emitUser(id, 'UserUpdated', updated)]),
      ...(ungranted ? [emitUser(id, 'GrantsChanged', { grants: [] })] : []),
      ...avatarEvents(row, avatar, context)
    ]
  },
  async ChangeAvatar({ id, changes }, context) {
    if (id !== context.caller.userId) throw errors.forbidden()
    return avatarEvents(await ownedUser(id, context.read), changes, context)
  },
  async DisableUser({ id, ifRevision, by }, context) {
    const { disabledAt, disabledBy } = await managedUser({ id, ifRevision }, context)
    if (id === context.caller.userId) throw errors.forbidden()
    // An administrator's word holds where a directory takes its own back.
    const isOverruled = by === 'administrator' && disabledBy !== by
    return disabledAt === null || isOverruled ? [emitUser(id, 'UserDisabled', { by })] : []
  },
  async EnableUser(target, context) {
    const { disabledAt } = await managedUser(target, context)
    return disabledAt === null ? [] : [emitUser(target.id, 'UserEnabled', {})]
  },
  async DeleteUser(target, context) {
    await managedUser(target, context)
    if (target.id === context.caller.userId) throw errors.forbidden()
    return [...(await budgetsOfTokens(target.id, context.read)), emitUser(target.id, 'UserDeleted', {})]
  }
}

/** The events by which the budgets of an account's tokens go: what is deleted with the account they would name for ever. */
async function budgetsOfTokens(userId: string, read: ReadStore): Promise<readonly NewEvent[]> {
  const all = await read.list(llmBudgetsTable, 'byName', [], { body: false })
  const ids = all.flatMap(({ subject, subjectId }) => (subject === 'token' && subjectId !== null ? [subjectId] : []))
  const tokens = await read.getAll(tokensTable, [...new Set(ids)], { body: false })
  const own = new Set(tokens.filter((one) => one.userId === userId).map(({ id }) => id))
  return all.flatMap(({ id, subjectId }) => (own.has(subjectId ?? '') ? [emitBudget(id, 'LlmBudgetDeleted', {})] : []))
}

/** The event by which an account gets a token of this name, which is limited to what there is. */
export async function decideNewToken(
  userId: string,
  name: string,
  issued: IssuedToken,
  { read, now }: Pick<Context, 'read' | 'now'>
): Promise<NewEvent> {
  const { scopes } = issued
  const token = tokenLike(userId, name, issued, now)
  if (scopes) requireScopes(scopes)
  const { table } = collectionKind
  await requireRows(nounOf(collectionKind), collectionsIn(scopes ?? []) ?? [], table, read)
  return token
}

/** The same of one whose limits another token has already, of which some may be gone by now. */
export function tokenLike(
  userId: string,
  name: string,
  { tokenId, prefix, hash, agentWrites = false, expiresAt = null, scopes = null }: IssuedToken,
  now: string
): NewEvent {
  if (expiresAt !== null && expiresAt <= now) throw errors.tokenEndPast()
  const limited = scopes && [...new Set(scopes)]
  return emitToken(tokenId, 'TokenCreated', { userId, name, prefix, hash, agentWrites, expiresAt, scopes: limited })
}

/** Refuses an account one more token of its own making where as many are in force as it may have. */
export async function requireRoomForToken(userId: string, context: Pick<Context, 'read' | 'now'>): Promise<void> {
  if ((await tokensWhereFull(userId, context)).length > 0) throw errors.tooManyTokens()
}

/**
 * The tokens of an account in force, the newest first, where they are as many as it may have; none where there is room. Its newest alone
 * are looked at, twice as many, so that it costs no more however many are over.
 */
export async function tokensWhereFull(
  userId: string,
  { read, now }: Pick<Context, 'read' | 'now'>
): Promise<readonly string[]> {
  const { max } = LIMITS.tokensOfAccount
  const newest = await read.list(tokensTable, 'byUser', [userId], { reverse: true, limit: 2 * max, body: false })
  const inForce = newest.filter((row) => isInForce(row, now)).map(({ id }) => id)
  return inForce.length < max ? [] : inForce
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
  requireAccountAdmin(context.caller)
  requireRole(context.caller, wanted.role)
  const created = settled(wanted)
  if (wanted.role !== 'user') requireNoAccess(wanted)
  requireFit(created.name)
  if (await isNameTaken(context.read, created.name)) throw errors.nameTaken()
  await requireKnown(created, context)
  return [emitUser(id, 'UserCreated', created), ...avatarEvents({ id, avatar: null }, avatar, context)]
}

const systemAccount: Account = { name: SYSTEM_NAME, role: 'admin', ...noAccess }

/** The row of an account that may be changed: 404 when there is none, 403 for the system account. */
export async function ownedUser(id: string, read: ReadStore): Promise<Row<typeof usersTable.columns>> {
  return requireOwned(id, await read.get(usersTable, id))
}

/** The same, where its row, if there is one, was read already. */
export function requireOwned<R>(id: string, row: R | null | undefined): R {
  if (id === SYSTEM_ID) throw errors.forbidden()
  if (!row) throw errors.notFound('User')
  return row
}

/** The account of an administrator's command: 403 for who does not manage it, 404 where it is not there, 412 where it has changed. */
async function managedUser({ id, ifRevision }: Target, { caller, read }: Context) {
  requireAccountAdmin(caller)
  const row = await ownedUser(id, read)
  requireManaged(caller, row)
  requireRevision(row, ifRevision)
  return row
}

/** Refuses an administrator of accounts alone what is about any account but that of a user. */
export function requireManaged(caller: Caller, row: { readonly role: string }): void {
  if (!manages(caller, row)) throw errors.forbidden()
}

/** False for an administrator of accounts alone and any account but that of a user. */
export function manages({ role }: Caller, row: { readonly role: string }): boolean {
  return role === 'admin' || row.role === 'user'
}

/** Refuses the same one to give any other role. */
function requireRole({ role }: Caller, given: Role): void {
  if (role !== 'admin' && given !== 'user') throw errors.forbidden()
}

/** Refuses to take the role of an account by the one that is told in its place: whoever sends that has not seen it. */
function requireSeenRole(exact: Role, sent: Role | undefined): void {
  if (sent === toldRole(exact) && sent !== exact) throw errors.exactRoleMissing(exact)
}

const LISTS = [...ACCESS_LISTS, 'llmModels'] as const
type Lists = { readonly [K in (typeof LISTS)[number]]?: Account[K] | undefined }

/** The account as it is stored: whoever is no user has no access lists and no LLM access; the wildcard stands alone. */
function settled(wanted: Account): Account {
  if (wanted.role !== 'user') return { ...systemAccount, name: wanted.name, role: wanted.role }
  requireSingleWildcards(wanted)
  return account.parse(wanted)
}

/** Refuses a list that holds the wildcard beside ids. */
export function requireSingleWildcards(lists: Required<Lists>): void {
  for (const list of LISTS) {
    if (lists[list]?.includes('*') && lists[list].length > 1) throw errors.mixedWildcard()
  }
}

/** Refuses to give what accounts of other roles than `user` do not have: dropping it would hide a mistake. */
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
export async function requireKnown(lists: Lists, { read, models }: Context) {
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

/** Without what is undefined. */
export function defined<T extends object>(changes: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>
  }
}
