import type { FastifyInstance } from 'fastify'
import { keptAddress } from '../address.js'
import type { AddressPolicy } from '../config/types.js'
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
 * says who asked, from where as far as `addresses` lets it be kept, and how long it took.
 */
export function observeRequests(app: FastifyInstance, areLogged: boolean, addresses: AddressPolicy): RequestCounts {
  const counts = new RequestCounts()
  app.decorateRequest('userId', null)
  app.addHook('onResponse', (request, reply, done) => {
    const { method, userId: user } = request
    const { url: route = UNKNOWN_ROUTE } = request.routeOptions
    const { statusCode: status, elapsedTime: took_ms } = reply
    const isStream = String(reply.raw.getHeader('content-type')).startsWith('text/event-stream')
    counts.add(method, route, status, took_ms, isStream)
    if (!areLogged) logRequest(request, reply)
    else {
      const [duration_ms, address] = [Math.round(took_ms * 10) / 10, keptAddress(request.ip, addresses)]
      request.log.info({ method, route, status, duration_ms, user, address }, 'request completed')
    }
    done()
  })
  return counts
}
