import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AddressPolicy } from '../config/types.js'
import { errors, HubError } from '../errors.js'
import { IndexUnavailable } from '../followers/search/unavailable.js'
import { Superseded } from '../ledger/release.js'
import { ClockAhead } from '../log/clockAhead.js'
import { HeadWentBack, LogObstructed } from '../log/wentBack.js'
import { BlobsUnavailable, NotGranted, StorageUnavailable, WrongServer } from '../storage/storage.js'
import { ThrottleUnavailable } from '../throttle/throttle.js'
import { sendFailure } from './failures.js'
import { methodsOf } from './methods.js'
import { logRequest } from './observe.js'
import { wasTakenAway } from './tenant.js'

/**
 * Answers every failure in one form: the catalogue's own, the framework's in our words, anything else as a plain 500. OPTIONS of
 * a path that is known tells its methods, and so does the 404 of any other method that the path has not.
 */
export function answerErrors(app: FastifyInstance): void {
  const answer = (error: Error, refusal: HubError, request: FastifyRequest, reply: FastifyReply) => {
    const { status } = refusal
    // What the hub refuses by itself is told to who asked, whatever the status: nothing is out of order.
    const isFailure = !(error instanceof HubError) || error.isFailure
    if (status >= 500 && isFailure && !app.outages.takes(error))
      request.log.error({ err: error, status }, 'request failed')
    sendFailure(request, reply, refusal)
  }
  const methodsAt = methodsOf(app)
  const refuseUnknown = (request: FastifyRequest, reply: FastifyReply) => {
    const methods = methodsAt(request.url)
    if (methods.length > 0) reply.header('allow', methods.join(', '))
    if (methods.length > 0 && request.method === 'OPTIONS') {
      reply.code(204).send()
      return
    }
    const refusal = errors.routeUnknown(request.method, request.url)
    const { status, message } = refusal
    sendFailure(request, reply, refusal, { message, error: 'Not Found', statusCode: status })
  }
  app.setNotFoundHandler(refuseUnknown)
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    // The framework asks QUERY for a content type before anybody has found that no route takes it.
    if (error.code === 'FST_ERR_ROUTE_MISSING_CONTENT_TYPE') return refuseUnknown(request, reply)
    const refusal = refusalOf(error, request.routeOptions.bodyLimit)
    if (!request.namedTenant || refusal.status < 500 || knownRefusal(error))
      return answer(error, refusal, request, reply)
    const elsewhere = errors.tenantElsewhere()
    void wasTakenAway(request).then((isGone) =>
      isGone ? answer(elsewhere, elsewhere, request, reply) : answer(error, refusal, request, reply)
    )
  })
}

/** Answers what has no route because its URL cannot be read; no hook runs for such a request, which is logged here. */
export function answerUnroutable(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
  addresses: () => AddressPolicy
): void {
  const refusal = refusalOf(error, undefined)
  sendFailure(request, reply.header('x-request-id', request.id), refusal)
  logRequest(request, { statusCode: refusal.status }, addresses)
}

/** What a client is told of a failure of the hub itself; null for one that has no refusal of its own. */
export function knownRefusal(error: unknown): HubError | null {
  if (error instanceof HubError) return error
  if (error instanceof Superseded) return errors.superseded(error.message)
  if (error instanceof HeadWentBack) return errors.headWentBack(error.message)
  if (error instanceof LogObstructed) return errors.logObstructed(error.message)
  if (error instanceof WrongServer) return errors.wrongServer(error.message)
  if (error instanceof ClockAhead) return errors.clockAhead(error.message)
  if (error instanceof StorageUnavailable) return errors.databaseUnavailable()
  if (error instanceof NotGranted) return errors.notGranted(error.message)
  if (error instanceof IndexUnavailable) return errors.searchUnavailable()
  if (error instanceof BlobsUnavailable) return errors.imagesUnavailable()
  if (error instanceof ThrottleUnavailable) return errors.unavailable()
  return null
}

function refusalOf(error: FastifyError, bodyLimit: number | undefined): HubError {
  const known = knownRefusal(error)
  if (known) return known
  switch (error.code) {
    case 'FST_ERR_BAD_URL':
      return errors.pathUnreadable()
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return errors.idTooLong()
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return errors.bodyTooLarge(bodyLimit)
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return errors.bodyTypeUnknown()
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
      return errors.bodyEmpty()
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
      return errors.bodyNotJson()
  }
  const status = error.statusCode ?? 500
  return status >= 400 && status < 500 ? errors.badRequest(status) : errors.failed()
}
