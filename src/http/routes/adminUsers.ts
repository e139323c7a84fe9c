import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { alike, name } from '../../../commands/content.js'
import { tokensTable } from '../../../commands/people/token/table.js'
import { ownedUser } from '../../../commands/people/user/decide.js'
import { account, ROLES, type Role, toldRole } from '../../../commands/people/user/events.js'
import { SYSTEM_ID } from '../../../commands/people/user/system.js'
import { usersTable } from '../../../commands/people/user/table.js'
import { splice } from '../../../commands/record.js'
import { allTokens, tokenRecord, type UserRow } from '../../../queries/callers.js'
import { allUsers, staleAccess, toldUser } from '../../../queries/users.js'
import { errors } from '../../errors.js'
import { issueToken } from '../../ledger/secrets.js'
import { offeredIds } from '../../llm/catalog.js'
import { withImage } from '../../records/images/shown.js'
import {
  created,
  createdUser,
  fieldsOf,
  issuedToken,
  listAnswer,
  listedUser,
  token as tokenAnswer,
  user
} from '../answers.js'
import { freshList } from '../lists.js'
import { paged } from '../paging.js'
import { done, json, record } from '../reply.js'
import { routes } from '../route.js'
import { changedAccess, newAccess } from './accessInput.js'
import { sentAvatar, sentOrNone } from './avatars.js'
import { issuedReply, newToken, tokenLimits, tokensReply } from './tokens.js'

// The text is that of the interface, from before there were other roles.
const role = z.enum(ROLES, { error: 'Role must be "admin" or "user".' })

const exactRole = z
  .enum(ROLES)
  .optional()
  .describe('The role, in place of `role` where both are sent: what is answered of an account can be sent back.')

/** What stands for an account, as administrators send it. */
const avatarInput = { avatarInitials: sentAvatar.shape.initials, avatarColor: sentAvatar.shape.color }
const of = account.shape

/** A new account as administrators send it, and what stands for it. */
export const accountInput = z.object({
  name: alike(name, of.name),
  role: alike(role, of.role),
  exactRole,
  ...newAccess,
  ...avatarInput
})

/** The role that is meant. Throws where both are sent and are not as an answer tells them: whoever has changed one of them means that. */
function sentRole<R extends Role | undefined>(exact: Role | undefined, role: R): Role | R {
  if (exact === undefined) return role
  if (role !== undefined && role !== exact && role !== toldRole(exact)) throw errors.rolesDiffer()
  return exact
}

/** What was sent of a new account, in its parts. */
export function accountParts<A extends z.infer<typeof accountInput>>(sent: A) {
  const { avatarInitials: initials, avatarColor: color, exactRole, ...account } = sent
  return { account: { ...account, role: sentRole(exactRole, account.role) }, avatar: { initials, color } }
}

const changes = z.object({
  name: alike(name.optional(), of.name),
  role: alike(role.optional(), of.role),
  exactRole,
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

  route('GET', '/admin/users', 'listUsers', listAnswer('users', listedUser), {
    summary: 'List all accounts, and what is stale in their access lists',
    about: 'Accounts come by name. The internal account of the hub is not among them.',
    ...paged,
    handle: async ({ hub, readModel, query }) => {
      const records = async (some: readonly UserRow[]) => {
        const rows = some.filter(({ id }) => id !== SYSTEM_ID)
        const stale = await staleAccess(readModel, rows, offeredIds(hub.config))
        return rows.map((row) => splice(toldUser(row), { warnings: stale.get(row.id) ?? [] }))
      }
      return freshList(readModel, { ...allUsers, name: 'users', fields: fieldsOf(listedUser), records }, query)
    }
  })

  route('POST', '/admin/users', 'createUser', created(createdUser), {
    summary: 'Make an account with a token, whose secret is told once',
    about:
      'The account gets one token, whose name is that of the account. A name that another account has, in whatever case, is refused with 400. Access lists name what is there, or `*` alone; an administrator has none, and no models.',
    refuses: [409],
    body: newUser,
    takes: 'content',
    handle: async ({ hub, readModel, body, change }) => {
      const { agentWrites, expiresAt, scopes, isService = false, ...sent } = body
      const asked = { agentWrites, expiresAt, scopes }
      const { secret, token } = issueToken(hub.config.tokens, hub.ledger.now(), asked)
      const row = await change(
        { type: 'CreateUser', id: randomUUID(), ...accountParts(sent), isService, token },
        usersTable
      )
      const tokenRow = await readModel.get(tokensTable, token.tokenId)
      if (!tokenRow) throw new Error('The new token is gone.')
      return json(
        `{"user":${toldUser(row)},"token":${tokenRecord(tokenRow, null)},"secret":${JSON.stringify(secret)}}`,
        201
      )
    }
  })

  route('GET', '/admin/users/:id', 'getUser', user, {
    summary: 'Get an account',
    about: 'That of the hub itself is refused with 403.',
    isTagged: true,
    handle: async ({ readModel, params }) => record(toldUser, await ownedUser(params.id, readModel))
  })

  route('PUT', '/admin/users/:id', 'updateUser', user, {
    summary: 'Change an account; what is left out stays',
    about:
      'A change of access is in force with the next request of the account. Nobody changes their own role. 409 for `role` "user" without `exactRole` where the account is told as a user and is none. Who becomes an administrator loses the access lists, grants and models.',
    takesIfMatch: true,
    isTagged: true,
    refuses: [409],
    body: changes,
    takes: 'content',
    handle: async ({ hub, params, body, ifRevision, change }) => {
      const { avatarInitials: initials, avatarColor: color, imageDataUrl, exactRole, ...sent } = body
      const image = sentOrNone(imageDataUrl)
      const avatar = { initials, color, image: image ? image.ref : image }
      const changes = { ...sent, role: sentRole(exactRole, sent.role) }
      const isRoleAsTold = exactRole === undefined
      const command = { type: 'UpdateUser', id: params.id, changes, isRoleAsTold, avatar, ifRevision } as const
      return record(toldUser, await withImage(hub.ledger, image, () => change(command, usersTable)))
    }
  })

  route('POST', '/admin/users/:id/disable', 'disableUser', user, {
    summary: 'Let nothing in as an account',
    about:
      'Each of its tokens and sessions is refused with 401 from the next request on, and streams end. What it has stays; nobody disables their own account.',
    takesIfMatch: true,
    isTagged: true,
    handle: async ({ params, ifRevision, change }) =>
      record(
        toldUser,
        await change({ type: 'DisableUser', id: params.id, ifRevision, by: 'administrator' }, usersTable)
      )
  })

  route('POST', '/admin/users/:id/enable', 'enableUser', user, {
    summary: 'Let an account in again',
    about: 'Its tokens and sessions are good again, as far as they have not ended.',
    takesIfMatch: true,
    isTagged: true,
    handle: async ({ params, ifRevision, change }) =>
      record(toldUser, await change({ type: 'EnableUser', id: params.id, ifRevision }, usersTable))
  })

  route('DELETE', '/admin/users/:id', 'deleteUser', null, {
    summary: 'Delete an account with its tokens',
    about:
      'Its tokens, invitations and devices go with it, and its webhooks are switched off; what it has made stays. Nobody deletes their own account.',
    takesIfMatch: true,
    handle: ({ params, ifRevision, run }) => done(run({ type: 'DeleteUser', id: params.id, ifRevision }))
  })

  route('GET', '/admin/tokens', 'listTokens', listAnswer('tokens', tokenAnswer), {
    summary: 'List all tokens, without their secrets',
    about: 'The newest come first, those that are revoked too.',
    ...paged,
    handle: ({ hub, query }) => tokensReply(hub, allTokens, query)
  })

  route('POST', '/admin/users/:id/tokens', 'createToken', created(issuedToken), {
    summary: 'Issue a token of an account; its secret is told once',
    about:
      'It is in force at once, until `expiresAt`, and until it is revoked or deleted. With `scopes` it may do what they name of what its account may.',
    refuses: [409],
    body: newToken,
    handle: async ({ hub, params, body, change }) => {
      const { name, ...asked } = body
      const { secret, token } = issueToken(hub.config.tokens, hub.ledger.now(), asked)
      const command = { type: 'CreateToken', id: token.tokenId, userId: params.id, name, ...token } as const
      return issuedReply(await change(command, tokensTable), secret)
    }
  })

  route('DELETE', '/admin/tokens/:id', 'deleteToken', null, {
    summary: 'Delete a token',
    about: 'What is sent with it from then on is refused with 401, and streams that it has opened end.',
    handle: ({ params, run }) => done(run({ type: 'DeleteToken', id: params.id }))
  })
}
