import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A reply that is made while it is sent, a part at a time. */
export interface Parts {
  /** How large its largest part is, about. */
  readonly partBytes: number
  /** Begins to make it. What it throws ends the connection: nobody takes a reply for whole that is not. */
  readonly parts: () => AsyncIterable<Buffer>
}

/**
 * Sends a reply part by part: the next is made when the system has taken the one before, so that one part waits at a time,
 * however slowly the client reads. To HEAD only the headers are sent.
 */
export async function sendParts(request: FastifyRequest, reply: FastifyReply, { parts }: Parts) {
  const { raw } = reply
  reply.hijack()
  // What goes wrong on the way to the client ends in `close`.
  raw.on('error', () => {})
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value)
  raw.writeHead(reply.statusCode)
  try {
    if (request.method !== 'HEAD') {
      for await (const part of parts()) {
        // A reply that waits for others on its connection is not destroyed with it.
        if (raw.destroyed || raw.req.socket.destroyed) break
        await written(raw, part)
      }
    }
    raw.end()
  } catch (err) {
    if (!raw.destroyed) request.log.error({ err }, 'a reply could not be made to its end')
    raw.destroy()
  }
  return reply
}

/** Resolves when the system has taken it, or the client has left. */
function written(raw: ServerResponse, part: Buffer): Promise<void> {
  return new Promise((resolve) => {
    const { socket } = raw.req
    const done = () => {
      socket.off('close', done)
      resolve()
    }
    if (socket.destroyed) return resolve()
    socket.once('close', done)
    raw.write(part, done)
  })
}
