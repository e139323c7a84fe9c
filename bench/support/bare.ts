import fastify from 'fastify'
import type { RecordedKind } from './recordings.js'
import { serve } from './serve.js'

// What the hub's answers cost where nothing is checked, looked up or stored: to each kind of request the one that the hub has given.
await serve(async (recordings: readonly RecordedKind[]) => {
  const server = fastify({ bodyLimit: 64 * 1024 * 1024 })
  const kinds = new Map(recordings.map((one) => [one.kind, { ...one, bytes: Buffer.from(one.body) }]))
  server.all('/*', async ({ headers }, reply) => {
    const found = kinds.get(String(headers['x-kind']))
    if (!found) return reply.code(404).send()
    return reply.code(found.status).headers(found.headers).send(found.bytes)
  })
  const address = await server.listen({ host: '127.0.0.1', port: 0 })
  return { port: Number(new URL(address).port), close: () => server.close() }
})
