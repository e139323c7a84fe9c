import type { FastifyRequest } from 'fastify'
import { QUESTION_SECONDS } from '../../authorization/server.js'
import type { AuthorizationService } from '../../authorization/service.js'
import { errors } from '../../errors.js'
import { LIMITS } from '../../limits.js'
import { senderOf } from '../../net/address.js'

/** Counts a question that a program is about to ask; 429 where programs at its address ask too many. */
export async function countQuestion({ ip }: FastifyRequest, { server }: AuthorizationService): Promise<void> {
  const { store } = await server()
  const count = await store.count('sender', senderOf(ip), QUESTION_SECONDS)
  if (count > LIMITS.programsOfSender.max) throw errors.tooManyRequests(QUESTION_SECONDS)
}
