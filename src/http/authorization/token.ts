import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { approverOf } from '../../authorization/questions.js'
import type { AuthorizationService } from '../../authorization/service.js'
import { errors } from '../../errors.js'
import { issueToken } from '../../ledger/secrets.js'
import { timeText } from '../../lib/clock.js'

const DAY_MS = 86_400_000
const given = z.looseObject({ access_token: z.string(), scope: z.string().optional() })

/** What a program gets in place of what the authorization server has drawn: a token of the hub, of whoever has approved it. */
export async function tokenInstead(
  { hub, ip, id: requestId }: FastifyRequest,
  { config, server }: AuthorizationService,
  body: string
): Promise<object> {
  const { ledger, throttle } = hub
  const { provider, clients } = await server()
  const { access_token } = given.parse(JSON.parse(body))
  const drawn = await provider.AccessToken.find(access_token)
  const approver = drawn?.grantId ? await approverOf(throttle.kept, drawn.grantId) : null
  if (!drawn?.clientId || !approver) throw errors.questionUnknown()
  await drawn.destroy()
  const scopes = drawn.scope?.split(' ') ?? []
  const { client_name: name } = z.looseObject({ client_name: z.string() }).parse(clients.metadataOf(drawn.clientId))
  const days = Math.min(config.tokenDays, hub.config.tokens.expiresInDaysMax ?? config.tokenDays)
  const expiresAt = timeText(ledger.now() + days * DAY_MS)
  const agentWrites = scopes.includes('agent') && scopes.includes('write')
  const { secret, token } = issueToken(hub.config.tokens, ledger.now(), { expiresAt, scopes, agentWrites })
  // On behalf of the token that has approved it: where that is revoked by now, so is this.
  const origin = { tokenId: approver.tokenId, address: ip, requestId }
  await ledger.run({ type: 'CreateOwnToken', name, ...token }, origin)
  return { access_token: secret, token_type: 'Bearer', expires_in: days * 86_400, scope: scopes.join(' ') }
}
