import fastify from 'fastify'
import { serve } from '../support/serve.js'

// What any proxy costs that reads a body, sends it on and passes the answer back, without asking who sent it or counting.
await serve(async (baseUrl: string) => {
  const server = fastify()
  server.post('/chat/completions', async (request, reply) => {
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify(request.body)
    const answer = await fetch(`${baseUrl}/chat/completions`, { method: 'POST', headers, body })
    return reply.header('content-type', answer.headers.get('content-type')).send(await answer.text())
  })
  const address = await server.listen({ host: '127.0.0.1', port: 0 })
  return { port: Number(new URL(address).port), close: () => server.close() }
})
