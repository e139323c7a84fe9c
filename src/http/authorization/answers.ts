import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Hub } from '../../app/hub.js'
import { type OAuthAnswer, QUESTION_SECONDS } from '../../authorization/server.js'
import type { AuthorizationService } from '../../authorization/service.js'
import { errors } from '../../errors.js'
import { freeObject, LIMITS } from '../../limits.js'
import { senderOf } from '../../net/address.js'
import { named } from '../openapi/names.js'
import { JSON_TYPE } from '../reply.js'

/** What programs are told: the RFCs say what is in it. */
export const anything = freeObject('A JSON object.')
/** A refusal, as programs read it. */
export const refused = named('OAuthError', 'A refusal, as programs read it (RFC 6749).', {
  error: z.string().describe('What is wrong, in a word of OAuth.'),
  error_description: z.string().optional().describe('Why, as a text for people; left out where the word says it.'),
  state: z.string().optional().describe('What the program has sent of its own; left out where it sent none.'),
  iss: z.string().optional().describe('Whose refusal it is; left out where it is none of a browser.')
})

/** What lets programs ask people for tokens; 404 where the configuration does not have it. */
export function authorizationOf({ authorization }: Pick<Hub, 'authorization'>): AuthorizationService {
  if (!authorization) throw errors.authorizationOff()
  return authorization
}

/** Counts a question that a program is about to ask; 429 where programs at its address ask too many. */
export async function countQuestion({ ip }: FastifyRequest, { server }: AuthorizationService): Promise<void> {
  const { store } = await server()
  const count = await store.count('sender', senderOf(ip), QUESTION_SECONDS)
  if (count > LIMITS.programsOfSender.max) throw errors.tooManyRequests(QUESTION_SECONDS)
}

/** A refusal of the hub's own, by a word of OAuth. */
export function refusal(error: string, error_description?: string): OAuthAnswer {
  return { status: 400, headers: {}, body: JSON.stringify({ error, error_description }), replayed: null }
}

const cookiesIn = z.union([z.string().transform((one) => [one]), z.array(z.string())]).default([])

/** Passes on what the server answers: status, body, where it leads, and what a browser keeps, with more of that. */
export function sendAnswer(
  reply: FastifyReply,
  { status, headers, body }: OAuthAnswer,
  cookies: readonly string[] = []
) {
  for (const name of ['location', 'www-authenticate'])
    if (headers[name] !== undefined) reply.header(name, headers[name])
  const kept = [...cookiesIn.parse(headers['set-cookie']), ...cookies]
  if (kept.length > 0) reply.header('set-cookie', kept)
  reply.code(status).header('cache-control', 'no-store')
  if (status === 303) reply.send()
  else reply.header('content-type', JSON_TYPE).send(body)
  return null
}
