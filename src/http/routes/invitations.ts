import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { name } from '../../../commands/content.js'
import { pendingInvitation, statusOf } from '../../../commands/people/invitation/decide.js'
import { invitationsTable } from '../../../commands/people/invitation/table.js'
import { tokensTable } from '../../../commands/people/token/table.js'
import { usersTable } from '../../../commands/people/user/table.js'
import type { TokenRow } from '../../../queries/callers.js'
import {
  allInvitations,
  type InvitationRow,
  invitationRecord,
  previewOf,
  statesOf
} from '../../../queries/invitations.js'
import { toldUser } from '../../../queries/users.js'
import type { Hub } from '../../app/hub.js'
import { errors } from '../../errors.js'
import { issueInvitation, issueToken } from '../../ledger/secrets.js'
import { timeText } from '../../lib/clock.js'
import { boundedText, LIMITS } from '../../limits.js'
import { sha256 } from '../../log/chain.js'
import {
  created,
  fieldsOf,
  invitation,
  invitationPreview,
  issuedInvitation,
  issuedToken,
  listAnswer
} from '../answers.js'
import { throttledByAddress } from '../auth.js'
import { keyedRequest } from '../idempotency.js'
import { freshList } from '../lists.js'
import { openRoutes } from '../openRoute.js'
import { paged } from '../paging.js'
import { parse } from '../parse.js'
import { done, json } from '../reply.js'
import { routes } from '../route.js'
import { enterTenant, failAlikeInTime, isNowhere } from '../tenant.js'
import { accountInput, accountParts } from './adminUsers.js'
import { issuedReply } from './tokens.js'

const lifetime = z.object({
  expiresInHours: z
    .int()
    .min(1, 'expiresInHours must be a positive integer.')
    .optional()
    .describe('For how many hours it can be redeemed. Left out, the configuration says.')
})
const invitee = z.object({ ...accountInput.shape, ...lifetime.shape })
const secret = z.object({
  secret: boundedText(LIMITS.secret, undefined, errors.invitationMalformed().message).describe(
    'The secret of the invitation, which begins with `hbi_`.'
  )
})
const redemption = secret.extend({
  tokenName: name.optional().describe('What the token is called. Left out, it has the name of the account.')
})

const previewed = { 200: invitationPreview }

/** Invitations: administrators make, list and revoke them, whoever holds a secret looks at it and redeems it once. */
export function invitationRoutes(app: FastifyInstance): void {
  const route = routes(app, 'invitations')

  route('POST', '/admin/invited-users', 'inviteUser', created(issuedInvitation), {
    summary: 'Make an account without a token, and an invitation whose secret is told once',
    about:
      'The account is as one that `createUser` makes, with an invitation in place of a token. Left out, `expiresInHours` is `invitations.expiresInHours` of the configuration.',
    refuses: [404, 409],
    body: invitee,
    takes: 'content',
    handle: async ({ hub, body, run }) => {
      const { expiresInHours, ...sent } = body
      const issued = issueInvitation(expiresInHours ?? hub.config.invitations.expiresInHours, hub.ledger.now())
      const id = randomUUID()
      await run({ type: 'InviteUser', id, ...accountParts(sent), invitation: issued.invitation })
      return json(await invited(hub, id, issued), 201)
    }
  })

  route('POST', '/admin/users/:id/invitations', 'createInvitation', created(issuedInvitation), {
    summary: 'Invite to an account that is there; the secret is told once',
    about: 'Earlier invitations of the account stay in force. Left out, `expiresInHours` is that of the configuration.',
    refuses: [409],
    body: lifetime,
    handle: async ({ hub, params, body, run }) => {
      const issued = issueInvitation(body.expiresInHours ?? hub.config.invitations.expiresInHours, hub.ledger.now())
      await run({ type: 'CreateInvitation', userId: params.id, invitation: issued.invitation })
      return json(await invited(hub, params.id, issued), 201)
    }
  })

  route('GET', '/admin/invitations', 'listInvitations', listAnswer('invitations', invitation), {
    summary: 'List all invitations, without their secrets',
    about: 'The newest come first, with those that are redeemed, revoked or over.',
    ...paged,
    handle: async ({ hub, readModel, query }) => {
      const now = timeText(hub.ledger.now())
      const records = async (rows: readonly InvitationRow[]) => {
        const stateIn = await statesOf(rows, readModel, now)
        return rows.map((row) => invitationRecord(row, stateIn(row)))
      }
      return freshList(
        readModel,
        { ...allInvitations, name: 'invitations', fields: fieldsOf(invitation), records },
        query
      )
    }
  })

  route('DELETE', '/admin/invitations/:id', 'revokeInvitation', null, {
    summary: 'Revoke an invitation that nobody has redeemed',
    about: '404 for one that is redeemed, revoked or over.',
    handle: ({ params, run }) => done(run({ type: 'RevokeInvitation', id: params.id }))
  })

  const open = openRoutes(app, 'invitations')
  const refuses = [404, 410, 429, 503]

  open('POST', '/auth/invitations/preview', 'previewInvitation', previewed, {
    summary: 'Tell what an invitation is for',
    about:
      'It changes nothing. 404 for a secret that nobody knows, 410 for an invitation that is redeemed, revoked or over, or whose account is disabled. Addresses that try too many are blocked for a while (429).',
    refuses,
    input: { body: secret },
    preHandler: enter,
    handle: ({ request }) =>
      ofInvitation(request, async () => {
        const { ledger } = request.hub
        const hash = hashOf(parse(secret, request.body, 'body').secret)
        if (isNowhere(request)) throw errors.invitationUnknown()
        return json(previewOf(await pendingInvitation(hash, timeText(ledger.now()), ledger.readModel)))
      })
  })

  open('POST', '/auth/invitations/redeem', 'redeemInvitation', created(issuedToken), {
    summary: 'Redeem an invitation for a token, whose secret is told once',
    about:
      'An invitation is redeemed once; later it is 410, as it is while its account is disabled. Agents may not write with the token. Addresses that try too many secrets are blocked for a while (429).',
    takesKey: true,
    refuses: [...refuses, 409],
    input: { body: redemption },
    preHandler: enter,
    handle: ({ request }) =>
      ofInvitation(request, async () => {
        const { ledger, config } = request.hub
        const { secret, tokenName } = parse(redemption, request.body, 'body')
        const issued = issueToken(config.tokens, ledger.now())
        const { tokenId } = issued.token
        const hash = hashOf(secret)
        if (isNowhere(request)) throw errors.invitationUnknown()
        // Nobody is known here whose key it could be but the invitation.
        const idempotency = keyedRequest(request, `invitation ${hash}`, { tokenName })
        const origin = { tokenId: null, address: request.ip, requestId: request.id, idempotency }
        const command = { type: 'RedeemInvitation', hash, token: issued.token, tokenName } as const
        const { row } = await ledger.run(command, origin, { table: tokensTable, id: tokenId })
        if (!row) throw errors.invitationUnknown()
        // The ledger answers with a row of the table that it was asked for.
        return issuedReply(row as TokenRow, issued.secret)
      })
  })
}

/** The tenant that has made the invitation which a request brings. */
function enter(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  return enterTenant(request, reply, async ({ body }) => {
    const { data } = secret.safeParse(body)
    return data && isInvitation(data.secret) ? { kind: 'invitation', hash: sha256(data.secret) } : null
  })
}

function ofInvitation<T>(request: FastifyRequest, work: () => Promise<T>): Promise<T> {
  return throttledByAddress(request, work).catch((error: unknown) => failAlikeInTime(request, error))
}

const SECRET_LENGTH_MIN = 13

function isInvitation(secret: string): boolean {
  return secret.startsWith('hbi_') && secret.length >= SECRET_LENGTH_MIN
}

function hashOf(secret: string): string {
  if (!isInvitation(secret)) throw errors.invitationMalformed()
  return sha256(secret)
}

type Issued = ReturnType<typeof issueInvitation>

/** The answer to a new invitation: the account, the invitation, and its secret for the only time. */
async function invited({ ledger }: Hub, userId: string, { secret, invitation }: Issued): Promise<string> {
  const [user, row] = await Promise.all([
    ledger.readModel.get(usersTable, userId),
    ledger.readModel.get(invitationsTable, invitation.invitationId)
  ])
  if (!user || !row) throw errors.notFound('User')
  const shown = invitationRecord(row, { status: statusOf(row, timeText(ledger.now())), revokedAt: row.revokedAt })
  return `{"user":${toldUser(user)},"invitation":${shown},"secret":${JSON.stringify(secret)}}`
}
