import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { limitsOf, tokensTable } from '../../../commands/people/token/table.js'
import { ownedUser } from '../../../commands/people/user/decide.js'
import { HUB_ID } from '../../../commands/tenants/hub/events.js'
import { accountOf, tokensOf } from '../../../queries/callers.js'
import { errors } from '../../errors.js'
import { inviteLink, issueInvitation, issueToken } from '../../ledger/secrets.js'
import { publicUrl } from '../../net/serverUrl.js'
import { created, issuedToken, listAnswer, token } from '../answers.js'
import { paged } from '../paging.js'
import { done, json } from '../reply.js'
import { routes } from '../route.js'
import { issuedReply, newToken, tokensReply } from './tokens.js'

/** How long a link for a desktop is good. */
const DESKTOP_MINUTES = 10

const desktopLink = z.object({
  link: z.string().describe('What to open in a browser. Behind its `#` is the secret, which no browser sends.'),
  expiresAt: z.iso.datetime().describe('Until when it is good.'),
  secret: z.string().describe('The secret alone, which begins with `hbi_`. It is told this once.')
})

/** The tokens of the caller's own account: what they are, and how each is ended. */
export function ownTokenRoutes(app: FastifyInstance): void {
  const route = routes(app, 'users')

  route('GET', '/auth/tokens', 'listOwnTokens', listAnswer('tokens', token), {
    summary: 'List the tokens of the own account, without their secrets',
    about: 'The newest come first, those that are revoked too.',
    ...paged,
    handle: ({ hub, caller, query }) => tokensReply(hub, tokensOf(caller.userId), query)
  })

  route('POST', '/auth/tokens', 'createOwnToken', created(issuedToken), {
    summary: 'Issue a token of the own account; its secret is told once',
    about:
      'For a program or a second machine: with `scopes` it may do what they name and no more of what the account may. Agents may write with it only where they may with the token that asks.',
    refuses: [400, 409],
    body: newToken,
    handle: async ({ hub: { config, ledger }, body, token, change }) => {
      const { name, ...asked } = body
      if (asked.agentWrites && !limitsOf(token).agentWrites) throw errors.agentWritesNotYours()
      const { secret, token: issued } = issueToken(config.tokens, ledger.now(), asked)
      const command = { type: 'CreateOwnToken', id: issued.tokenId, name, ...issued } as const
      return issuedReply(await change(command, tokensTable), secret)
    }
  })

  route('POST', '/auth/desktop-link', 'createDesktopLink', created(desktopLink), {
    summary: 'Make a link by which a desktop gets a token of the own account',
    about: `It is an invitation, redeemed once and within ${DESKTOP_MINUTES} minutes: opened in a browser, its page hands it to the desktop.`,
    refuses: [409],
    handle: async ({ hub, caller, run }) => {
      const { ledger, config, tenant } = hub
      const { secret, invitation } = issueInvitation(DESKTOP_MINUTES / 60, ledger.now())
      await run({ type: 'CreateOwnInvitation', invitation })
      const user = await ownedUser(caller.userId, ledger.readModel)
      const { expiresAt } = invitation
      const link = inviteLink(
        publicUrl(config.server),
        accountOf(user),
        { expiresAt, secret },
        tenant.id === HUB_ID ? null : tenant.id
      )
      return json({ link, expiresAt, secret }, 201)
    }
  })

  route('DELETE', '/auth/tokens/:id', 'revokeOwnToken', null, {
    summary: 'Revoke a token of the own account',
    about:
      'What is sent with it from then on is refused with 401, and streams that it has opened end. It stays listed. It may be the token that asks; one with scopes revokes no other.',
    refuses: [403],
    handle: async ({ caller, params, run }) => {
      if (caller.scopes && params.id !== caller.tokenId) throw errors.scopeMissing(null)
      return done(run({ type: 'RevokeOwnToken', id: params.id }))
    }
  })
}
