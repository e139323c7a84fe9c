import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { alike, name } from '../../../commands/content.js'
import { ownedUser } from '../../../commands/people/user/decide.js'
import { account, ROLES } from '../../../commands/people/user/events.js'
import { SYSTEM_ID } from '../../../commands/people/user/system.js'
import { splice } from '../../../projections/record.js'
import { tokensTable } from '../../../projections/tokens.js'
import { usersTable } from '../../../projections/users.js'
import { allTokens, tokenRecord, type UserRow } from '../../../queries/callers.js'
import { allUsers, staleAccess, userRecord } from '../../../queries/users.js'
import { issueToken } from '../../ledger/secrets.js'
import { offeredIds } from '../../llm/catalog.js'
import { withImage } from '../../records/images/shown.js'
import { createdUser, fieldsOf, issuedToken, listAnswer, listedUser, token as tokenAnswer, user } from '../answers.js'
import { freshList } from '../lists.js'
import { paged } from '../paging.js'
import { json, noContent, record } from '../reply.js'
import { declared, routes } from '../route.js'
import { changedAccess, newAccess } from './accessInput.js'
import { sentAvatar, sentOrNone } from './avatars.js'
import { byId, changedById } from './input.js'
import { issuedReply, newToken, tokenLimits, tokensReply } from './tokens.js'

// The text is that of the interface, from before there were other roles.
const role = z.enum(ROLES, { error: 'Role must be "admin" or "user".' })

/** What stands for an account, as administrators send it. */
const avatarInput = { avatarInitials: sentAvatar.shape.initials, avatarColor: sentAvatar.shape.color }
const of = account.shape

/** A new account as administrators send it, and what stands for it. */
export const accountInput = z.object({
  name: alike(name, of.name),
  role: alike(role, of.role),
  ...newAccess,
  ...avatarInput
})

/** What was sent of a new account, in its parts. */
export function accountParts<A extends z.infer<typeof accountInput>>({ avatarInitials, avatarColor, ...account }: A) {
  return { account, avatar: { initials: avatarInitials, color: avatarColor } }
}

const changes = z.object({
  name: alike(name.optional(), of.name),
  role: alike(role.optional(), of.role),
  ...changedAccess,
  ...avatarInput,
  imageDataUrl: sentAvatar.shape.imageDataUrl
})

const newUser = accountInput.extend({
  ...tokenLimits,
  isService: z.boolean().optional().describe('True for the account of a machine, which nobody signs in as.')
})

/** Users and their tokens, for administrators (section 4, Administration). */
export function adminUserRoutes(app: FastifyInstance): void {
  const route = routes(app, 'users')

  const list = declared(
    'listUsers',
    'List all accounts, and what is stale in their access lists',
    listAnswer('users', listedUser),
    { ...paged, about: 'Accounts come by name. The internal account of the hub is not among them.' }
  )
  route('GET', '/admin/users', list, async ({ hub, query }) => {
    const { readModel } = hub.ledger
    const records = async (some: readonly UserRow[]) => {
      const rows = some.filter(({ id }) => id !== SYSTEM_ID)
      const stale = await staleAccess(readModel, rows, offeredIds(hub.config))
      return rows.map((row) => splice(userRecord(row), { warnings: stale.get(row.id) ?? [] }))
    }
    return freshList(readModel, { ...allUsers, name: 'users', fields: fieldsOf(listedUser), records }, query)
  })

  const creation = declared(
    'createUser',
    'Make an account with a token, whose secret is told once',
    { 201: createdUser },
    {
      refuses: [409],
      body: newUser,
      takes: 'content',
      about:
        'The account gets one token, whose name is that of the account. A name that another account has, in whatever case, is refused with 400. Access lists name what is there, or `*` alone; an administrator has none, and no models.'
    }
  )
  route('POST', '/admin/users', creation, async ({ hub, body, change }) => {
    const { agentWrites, expiresAt, scopes, isService = false, ...sent } = body
    const asked = { agentWrites, expiresAt, scopes }
    const { secret, token } = issueToken(hub.config.tokens, hub.ledger.now(), asked)
    const row = await change(
      { type: 'CreateUser', id: randomUUID(), ...accountParts(sent), isService, token },
      usersTable
    )
    const tokenRow = await hub.ledger.readModel.get(tokensTable, token.tokenId)
    if (!tokenRow) throw new Error('The new token is gone.')
    return json(
      `{"user":${userRecord(row)},"token":${tokenRecord(tokenRow, null)},"secret":${JSON.stringify(secret)}}`,
      201
    )
  })

  const getting = declared('getUser', 'Get an account', user, {
    ...byId,
    isTagged: true,
    about: 'That of the hub itself is refused with 403.'
  })
  route('GET', '/admin/users/:id', getting, async ({ hub, params }) => {
    const row = await ownedUser(params.id, hub.ledger.readModel)
    return record(userRecord(row), row)
  })

  const update = declared('updateUser', 'Change an account; what is left out stays', user, {
    ...changedById,
    isTagged: true,
    body: changes,
    takes: 'content',
    about:
      'A change of access is in force with the next request of the account. Nobody changes their own role. Who becomes an administrator loses the access lists and models.'
  })
  route('PUT', '/admin/users/:id', update, async (call) => {
    const { hub, params, body, ifRevision, change } = call
    const { avatarInitials: initials, avatarColor: color, imageDataUrl, ...changes } = body
    const image = sentOrNone(imageDataUrl)
    const avatar = { initials, color, image: image ? image.ref : image }
    const command = { type: 'UpdateUser', id: params.id, changes, avatar, ifRevision } as const
    const row = await withImage(hub.ledger, image, () => change(command, usersTable))
    return record(userRecord(row), row)
  })

  const disabling = declared('disableUser', 'Let nothing in as an account', user, {
    ...changedById,
    isTagged: true,
    about:
      'Each of its tokens and sessions is refused with 401 from the next request on, and streams end. What it has stays; nobody disables their own account.'
  })
  route('POST', '/admin/users/:id/disable', disabling, async ({ params, ifRevision, change }) => {
    const row = await change({ type: 'DisableUser', id: params.id, ifRevision, by: 'administrator' }, usersTable)
    return record(userRecord(row), row)
  })

  const enabling = declared('enableUser', 'Let an account in again', user, {
    ...changedById,
    isTagged: true,
    about: 'Its tokens and sessions are good again, as far as they have not ended.'
  })
  route('POST', '/admin/users/:id/enable', enabling, async ({ params, ifRevision, change }) => {
    const row = await change({ type: 'EnableUser', id: params.id, ifRevision }, usersTable)
    return record(userRecord(row), row)
  })

  const deletion = declared('deleteUser', 'Delete an account with its tokens', null, {
    ...changedById,
    about:
      'Its tokens, invitations and devices go with it, and its webhooks are switched off; what it has made stays. Nobody deletes their own account.'
  })
  route('DELETE', '/admin/users/:id', deletion, async ({ params, ifRevision, run }) => {
    await run({ type: 'DeleteUser', id: params.id, ifRevision })
    return noContent
  })

  const tokens = declared('listTokens', 'List all tokens, without their secrets', listAnswer('tokens', tokenAnswer), {
    ...paged,
    about: 'The newest come first, those that are revoked too.'
  })
  route('GET', '/admin/tokens', tokens, ({ hub, query }) => tokensReply(hub, allTokens, query))

  const issue = declared(
    'createToken',
    'Issue a token of an account; its secret is told once',
    { 201: issuedToken },
    {
      ...byId,
      refuses: [409],
      body: newToken,
      about:
        'It is in force at once, until `expiresAt`, and until it is revoked or deleted. With `scopes` it may do what they name of what its account may.'
    }
  )
  route('POST', '/admin/users/:id/tokens', issue, async ({ hub, params, body, change }) => {
    const { name, ...asked } = body
    const { secret, token } = issueToken(hub.config.tokens, hub.ledger.now(), asked)
    const command = { type: 'CreateToken', id: token.tokenId, userId: params.id, name, ...token } as const
    return issuedReply(await change(command, tokensTable), secret)
  })

  const removal = declared('deleteToken', 'Delete a token', null, {
    ...byId,
    about: 'What is sent with it from then on is refused with 401, and streams that it has opened end.'
  })
  route('DELETE', '/admin/tokens/:id', removal, async ({ params, run }) => {
    await run({ type: 'DeleteToken', id: params.id })
    return noContent
  })
}
