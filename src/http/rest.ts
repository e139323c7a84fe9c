import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * Answers a request whose body is not wanted: the answer is out at once, and ends when the rest of the body has come, which
 * is thrown away. A connection that is closed while its sender still sends loses the answer on the way.
 */
export function answerBeforeRest({ raw }: FastifyRequest, reply: FastifyReply, value: unknown): FastifyReply {
  const text = JSON.stringify(value)
  async function* parts() {
    yield text
    // How much and how long is the watch's to say; who has gone needs no end.
    if (!raw.complete) await finished(raw.resume()).catch(() => {})
  }
  return reply
    .header('content-type', 'application/json; charset=utf-8')
    .header('content-length', Buffer.byteLength(text))
    .send(Readable.from(parts()))
}
