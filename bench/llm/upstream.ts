import { once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { chunks, counted } from '../../test/llm/fakes/openai.js'
import { serve } from '../support/serve.js'

/** One event of a stream for each word. */
const text = 'word '.repeat(100)
const events = chunks({ text }).join('')
const whole = JSON.stringify({
  choices: [{ index: 0, message: { role: 'assistant', content: text } }],
  usage: counted([11, 7])
})

// The provider: reads a body to its end, thinks for as long as the model's name says, and answers as it was asked to.
await serve(async () => {
  const server = createServer(async (request, response) => {
    let head = ''
    let tail = ''
    for await (const part of request.setEncoding('latin1')) {
      if (head === '') head = part
      tail = (tail + part).slice(-200)
    }
    await sleep(Number(/"model":"thinks-(\d+)"/.exec(head)?.[1]))
    const isStream = tail.includes('"stream":true')
    const [type, body] = isStream ? ['text/event-stream', events] : ['application/json', whole]
    response.writeHead(200, { 'content-type': type, 'content-length': body.length }).end(body)
  })
  server.keepAliveTimeout = 60_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('A TCP server has no port.')
  return {
    port: address.port,
    async close() {
      server.close()
      server.closeAllConnections()
    }
  }
})
