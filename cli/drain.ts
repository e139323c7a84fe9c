import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

const SWEEP_INTERVAL_MS = 50

/**
 * Watches the connections of a server that is about to listen, and returns how to close it: it stops accepting, lets
 * requests in flight finish, and drops every connection that carries none.
 */
export function drain(app: FastifyInstance): () => Promise<void> {
  const silent = new Set<Socket>()
  app.server.on('connection', (socket) => {
    silent.add(socket)
    socket.once('close', () => silent.delete(socket))
  })
  app.server.on('request', ({ socket }) => silent.delete(socket))
  return async () => {
    // A connection becomes idle only when its last answer is out, and one that never asked never counts as idle.
    const sweep = setInterval(() => app.server.closeIdleConnections(), SWEEP_INTERVAL_MS)
    for (const socket of silent) socket.destroy()
    await app.close().finally(() => clearInterval(sweep))
  }
}
