import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { approverOf } from '../../authorization/questions.js'
import { QUESTION_SECONDS } from '../../authorization/server.js'
import type { AuthorizationService } from '../../authorization/service.js'
import { errors, HubError } from '../../errors.js'
import { issueToken } from '../../ledger/secrets.js'
import { timeText } from '../../lib/clock.js'

const DAY_MS = 86_400_000
const given = z.looseObject({ access_token: z.string(), scope: z.string().optional() })

/**
 * What a program gets in place of what the authorization server has drawn: a token of the hub, of whoever has approved it. Null where its
 * code has come a second time meanwhile: then the token is revoked.
 */
export async function tokenInstead(
  request: FastifyRequest,
  { config, server }: AuthorizationService,
  body: string
): Promise<object | null> {
  const { hub, ip, id: requestId } = request
  const { ledger } = hub
  const { provider, clients, store } = await server()
  const { access_token } = given.parse(JSON.parse(body))
  const drawn = await provider.AccessToken.find(access_token)
  const approver = drawn?.grantId ? await approverOf(store, drawn.grantId) : null
  if (!drawn?.clientId || !drawn.grantId || !approver) throw errors.questionUnknown()
  await drawn.destroy()
  const scopes = drawn.scope?.split(' ') ?? []
  const { client_name: name } = z.looseObject({ client_name: z.string() }).parse(clients.metadataOf(drawn.clientId))
  const days = Math.min(config.tokenDays, hub.config.tokens.expiresInDaysMax ?? config.tokenDays)
  const expiresAt = timeText(ledger.now() + days * DAY_MS)
  const agentWrites = approver.agentWrites && scopes.includes('agent') && scopes.includes('write')
  const { secret, token } = issueToken(hub.config.tokens, ledger.now(), { expiresAt, scopes, agentWrites })
  // On behalf of the token that has approved it: where that is revoked by now, so is this.
  const origin = { tokenId: approver.tokenId, address: ip, requestId }
  // Of this and of `revokeReplayed` the later one sees what the other has left.
  await store.set('issued', drawn.grantId, token.tokenId, QUESTION_SECONDS)
  await ledger.run({ type: 'CreateOwnToken', name, ...token }, origin)
  let isReplayed = true
  try {
    isReplayed = (await store.get('replayed', drawn.grantId)) !== null
  } finally {
    // Where that cannot be told, the program gets no token: then none is in force.
    if (isReplayed) await revoke(request, token.tokenId)
  }
  if (isReplayed) return null
  return { access_token: secret, token_type: 'Bearer', expires_in: days * 86_400, scope: scopes.join(' ') }
}

/** Revokes the token that was given for a grant whose code has come a second time: one of the two has stolen it (RFC 6749, 4.1.2). */
export async function revokeReplayed(
  request: FastifyRequest,
  { server }: AuthorizationService,
  grantId: string
): Promise<void> {
  const { store } = await server()
  await store.set('replayed', grantId, 'true', QUESTION_SECONDS)
  const tokenId = await store.get('issued', grantId)
  if (tokenId !== null) await revoke(request, tokenId)
}

/** Revokes a token on its own behalf; one that lets nobody in any more stays as it is. */
async function revoke({ hub: { ledger }, ip, id: requestId }: FastifyRequest, tokenId: string): Promise<void> {
  try {
    await ledger.run({ type: 'RevokeOwnToken', id: tokenId }, { tokenId, address: ip, requestId })
  } catch (error) {
    if (!(error instanceof HubError && error.status === 401)) throw error
  }
}
