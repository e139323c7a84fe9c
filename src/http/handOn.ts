import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import { pipeline } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { errors } from '../errors.js'
import { whenOver } from '../responseOver.js'
import type { Member } from '../tenants/members.js'
import type { Spread } from '../tenants/spread.js'

/** What the connection to the client says for itself. */
const OF_CONNECTION = new Set(['connection', 'keep-alive', 'transfer-encoding'])

/**
 * Has a request answered by the process that serves its tenant, and takes the reply over. False where that process cannot be reached,
 * or goes away before it has answered a mere question: this one answers then. Throws 503 where it goes away over anything else, which
 * may have been carried out.
 */
export function handedOn(
  { raw, id, ip }: FastifyRequest,
  reply: FastifyReply,
  { spread, owner, tenant }: { readonly spread: Spread; readonly owner: Member; readonly tenant: string }
): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const asked = spread.handOn(owner, { raw, id, address: ip, tenant })
    let isSent = false
    let isLeft = false
    const send = () => {
      isSent = true
      raw.pipe(asked)
    }
    asked.on('socket', (socket) => {
      if (socket.connecting) socket.once('connect', send)
      else send()
    })
    asked.on('error', () => {
      raw.unpipe(asked)
      if (isLeft) {
        reply.hijack()
        return resolve(true)
      }
      spread.avoid(owner)
      // What only asks can be asked here as well.
      if (!isSent || raw.method === 'GET' || raw.method === 'HEAD') resolve(false)
      else reject(errors.unavailable())
    })
    asked.on('response', (answer) => {
      reply.hijack()
      reply.raw.writeHead(answer.statusCode ?? 502, headersOf(answer))
      reply.raw.flushHeaders()
      pipeline(answer, reply.raw, () => {})
      resolve(true)
    })
    whenOver(reply.raw, () => {
      isLeft = true
      asked.destroy()
    })
  })
}

function headersOf({ headers }: IncomingMessage): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_CONNECTION.has(name)))
}
