import type { FastifyReply } from 'fastify'
import Negotiator from 'negotiator'

export const JSON_TYPE = 'application/json; charset=utf-8'
export const PROBLEM_TYPE = 'application/problem+json'

/**
 * True where an Accept header would rather have a failure as problem details (RFC 9457) than as the JSON that every client
 * knows: it names that type, and not as less welcome. Of equals, what it names first.
 */
export function prefersProblem(accept: string | undefined): boolean {
  if (!accept?.toLowerCase().includes(PROBLEM_TYPE)) return false
  return new Negotiator({ headers: { accept } }).mediaType(['application/json', PROBLEM_TYPE]) === PROBLEM_TYPE
}

/** Says that an answer depends on a header of the request, beside those that it was said of before. */
export function varyBy(reply: FastifyReply, header: 'Accept' | 'Accept-Encoding'): void {
  const others = reply.getHeader('vary')
  reply.header('vary', others === undefined ? header : `${others}, ${header}`)
}
