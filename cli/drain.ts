import type { FastifyInstance } from 'fastify'
import { LIMITS } from '../src/limits.js'

const SWEEP_INTERVAL_MS = 50

/**
 * Closes a server: it stops accepting, drops the connections that carry no request, and lets requests in flight finish. One
 * that has not come whole within `LIMITS.stopGrace` is dropped too.
 */
export async function drain(app: FastifyInstance): Promise<void> {
  const until_ms = performance.now() + LIMITS.stopGrace.max
  const sweep = setInterval(() => {
    // While it still accepts, it would have to be done again.
    if (app.server.listening) return
    // A connection becomes idle only when its last answer is out, and one that never asked never counts as idle.
    app.server.closeIdleConnections()
    app.connections.closeSilent()
    if (performance.now() > until_ms) app.connections.closeUnfinished()
  }, SWEEP_INTERVAL_MS)
  await app.close().finally(() => clearInterval(sweep))
}
