import fastify from 'fastify'
import { serve } from '../support/serve.js'
import type { RecordedKind } from './bare.js'

// Gives to each kind of request the answer that the hub has given, and does nothing else.
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
