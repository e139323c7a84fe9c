import fastify from 'fastify'
import { serve } from '../support/serve.js'
import type { Recording } from './record.js'

// What the hub's answers cost where nothing is checked, looked up or stored: the ground that the hub stands on.
await serve(async (recordings: readonly Recording[]) => {
  const server = fastify()
  for (const { method, route, status, headers, body } of recordings) {
    const bytes = Buffer.from(body)
    server.route({
      method,
      url: route,
      handler: async (_, reply) =>
        reply
          .code(status)
          .headers(headers)
          .send(bytes.length > 0 ? bytes : undefined)
    })
  }
  const address = await server.listen({ host: '127.0.0.1', port: 0 })
  return { port: Number(new URL(address).port), close: () => server.close() }
})
