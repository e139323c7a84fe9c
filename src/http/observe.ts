import type { FastifyInstance } from 'fastify'
import { logRequest } from './errors.js'
import { RequestCounts, UNKNOWN_ROUTE } from './requestCounts.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** The account that has sent it; null where nobody is known to have. */
    userId: string | null
  }
  interface FastifyContextConfig {
    /** True for what answers whatever the load, and is no use of the hub. */
    isProbe?: true
  }
}

/**
 * Counts every request of a server when it is over, and logs it: one line at `debug`, or with `areLogged` one at `info` that
 * says who asked and how long it took.
 */
export function observeRequests(app: FastifyInstance, areLogged: boolean): RequestCounts {
  const counts = new RequestCounts()
  app.decorateRequest('userId', null)
  app.addHook('onResponse', (request, reply, done) => {
    const { method, userId: user } = request
    const { url: route = UNKNOWN_ROUTE } = request.routeOptions
    const { statusCode: status, elapsedTime: took_ms } = reply
    const isStream = String(reply.raw.getHeader('content-type')).startsWith('text/event-stream')
    counts.add(method, route, status, took_ms, isStream)
    if (!areLogged) logRequest(request, reply)
    else
      request.log.info({ method, route, status, duration_ms: Math.round(took_ms * 10) / 10, user }, 'request completed')
    done()
  })
  return counts
}
