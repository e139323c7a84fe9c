import type { FastifyReply, FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'
import { rootOf } from '../authorization/server.js'
import type { HubError } from '../errors.js'
import { dialectAt } from './modelDialects.js'
import { answerBeforeRest, JSON_TYPE, varyBy } from './reply.js'

const PROBLEM_TYPE = 'application/problem+json'

/** What is told of a failure, in the form that was asked for. */
export interface FailureText {
  readonly contentType: string
  readonly text: string
}

/** A request as far as its failure is answered: what it accepts, and its id where it has one. */
export interface Asked {
  readonly accept: string | undefined
  readonly id: string | undefined
}

/**
 * A failure as JSON, which is `{error}` and what goes with it unless `plain` says otherwise; or, where that is preferred, as
 * problem details with every fault of the request.
 */
export function failureText({ accept, id }: Asked, refusal: HubError, plain?: object): FailureText {
  if (!prefersProblem(accept))
    return { contentType: JSON_TYPE, text: JSON.stringify(plain ?? { ...refusal.members, error: refusal.message }) }
  return { contentType: PROBLEM_TYPE, text: JSON.stringify(problem(refusal, id)) }
}

/**
 * True where an Accept header would rather have a failure as problem details (RFC 9457) than as the JSON that every client
 * knows: it names that type, and not as less welcome. Of equals, what it names first.
 */
export function prefersProblem(accept: string | undefined): boolean {
  if (!accept?.toLowerCase().includes(PROBLEM_TYPE)) return false
  return new Negotiator({ headers: { accept } }).mediaType(['application/json', PROBLEM_TYPE]) === PROBLEM_TYPE
}

/** Sends a failure in the form that was asked for, or that the route speaks; at once where the body of its request is too large and still coming. */
export function sendFailure(request: FastifyRequest, reply: FastifyReply, refusal: HubError, plain?: object): void {
  const { headers, id, raw } = request
  const { description } = request.routeOptions?.config ?? {}
  const speaks = description ? description.speaks : dialectAt(request)
  const {
    status = refusal.status,
    contentType,
    text
  } = speaks
    ? { ...speaks.refused(refusal, request), contentType: charsetOf(speaks.contentType) }
    : { ...failureText({ accept: headers.accept, id }, refusal, plain), status: refusal.status }
  reply.code(status).headers(refusal.headers).header('content-type', contentType)
  const metadata = refusal.status === 401 ? metadataAddress(request) : null
  if (metadata !== null) {
    const challenge = refusal.headers['www-authenticate'] ?? 'Bearer'
    const separator = challenge === 'Bearer' ? ' ' : ', '
    reply.header('www-authenticate', `${challenge}${separator}resource_metadata="${metadata}"`)
  }
  varyBy(reply, 'Accept')
  if (refusal.status === 413 && !raw.complete) answerBeforeRest(request, reply, text)
  // As bytes: to a text the framework would add a charset, which this type has none of.
  else reply.send(Buffer.from(text))
}

/** Where an agent program without a token learns how to get one (RFC 9728, section 5.1); null where that is nowhere. */
function metadataAddress({ hub, routeOptions }: FastifyRequest): string | null {
  const service = hub?.authorization
  if (!service || routeOptions?.url !== '/mcp') return null
  return `${rootOf(service.base)}/.well-known/oauth-protected-resource/mcp`
}

function charsetOf(contentType: string): string {
  return contentType === 'application/json' ? JSON_TYPE : contentType
}

/** Problem details (RFC 9457). `error` is what `detail` is: a client that looks for either finds it. */
function problem({ code, status, message, members, faults }: HubError, id: string | undefined) {
  return {
    type: `/problems/${code}`,
    title: titleOf(code),
    status,
    detail: message,
    instance: id,
    error: message,
    ...members,
    errors: faults.length > 0 ? faults : undefined
  }
}

/** What a code says, in words. */
export function titleOf(code: string): string {
  return `${code.charAt(0).toUpperCase()}${code.slice(1).replaceAll('-', ' ')}`
}
