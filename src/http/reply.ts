import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { JsonText, PlacedRow } from '../../commands/record.js'
import type { RecordKind } from '../../commands/records/kind.js'
import { errors } from '../errors.js'
import { LIMITS } from '../limits.js'
import { outgoing } from '../net/outgoing.js'
import type { Row } from '../storage/storage.js'
import { chosenEncoding, compressed, compressedOnce, compressedParts, type Encoding } from './compress.js'

export const JSON_TYPE = 'application/json; charset=utf-8'

/** A reply as its bytes, or as how to make them, with the entity tag that stands for them. */
export interface Reply {
  readonly status: number
  readonly body: Buffer | JsonText | Parts | null
  readonly etag?: string
  /** JSON by default. */
  readonly contentType?: string
  /** The body compressed, where that is kept with it; null where it is not to be had now. */
  readonly packed?: (encoding: Encoding) => Promise<Buffer | null>
}

export const noContent: Reply = { status: 204, body: null }

/** What is answered once work is done that has no answer of its own. */
export async function done(work: Promise<unknown>): Promise<Reply> {
  await work
  return noContent
}

/** A JSON reply that no tag stands for. */
export function json(value: unknown, status = 200): Reply {
  return { status, body: typeof value === 'string' ? value : JSON.stringify(value) }
}

/** A reply as its bytes, under a tag of them. */
export function tagged(text: string | Buffer): Reply & { readonly body: Buffer; readonly etag: string } {
  const body = Buffer.from(text)
  return { status: 200, body, etag: `"${createHash('sha1').update(body).digest('base64url')}"` }
}

/** A file of a page as it is sent: its bytes, what they are, their tag, and their compressed forms, which are kept. */
export type Asset = Reply & Required<Pick<Reply, 'contentType' | 'etag' | 'packed'>>

export function assetOf(contentType: string, body: Buffer): Asset {
  // A font is compressed as it is.
  const packed = contentType.startsWith('font/') ? async () => null : compressedOnce(body)
  return { ...tagged(body), contentType, packed }
}

/** One record as it is shown, under the tag of its revision. */
export function record<R extends Row>(show: (row: R) => JsonText, row: R, status = 200): Reply {
  return { status, body: show(row), etag: `"${row.revision}"` }
}

/** One record of a kind under the tag of its revision and, where it stands in an order, of its place, which can change alone. */
export function placedRecord(kind: Pick<RecordKind, 'record'>, { row, place }: PlacedRow): Reply {
  const tag = place === null ? row.revision : `${row.revision}-${place}`
  return { status: 200, body: kind.record(row, place), etag: `"${tag}"` }
}

/** Less than this the system takes at once, or the server reads no further request of the connection. */
const COUNTED_BYTES = 4096

/**
 * Sends an answer; a GET whose tag the client has gets 304 and no body, and one that asks for more than there is room for
 * 503. What was changed is always told.
 *
 * Only what is read is compressed, and not what a change answers: that may hold a secret that is shown once, whose length must
 * not depend on how much of it somebody has guessed. Compressed or not, an answer has the same tag: clients send it back to the
 * hub alone, which compares it with what it stands for and serves no ranges, and `Vary` keeps the forms apart in caches.
 */
export async function send(request: FastifyRequest, reply: FastifyReply, answer: Reply): Promise<FastifyReply> {
  const { status, body, etag, contentType = JSON_TYPE } = answer
  const isRead = isReading(request)
  const isParts = typeof body === 'object' && body !== null && 'parts' in body
  const plainBytes = isParts ? body.partBytes : Buffer.byteLength(body ?? '')
  const isCompressible = isRead && (isParts || plainBytes > LIMITS.uncompressed.max)
  if (isCompressible) varyBy(reply, 'Accept-Encoding')
  if (isRead && etag !== undefined && isKnown(request, etag)) {
    return reply.header('etag', etag).code(304).send()
  }
  const encoding = isCompressible ? chosenEncoding(request.headers['accept-encoding']) : null
  const packed = encoding && (await packedBody(answer, encoding))
  const bytes = Buffer.isBuffer(packed) ? packed.length : plainBytes
  if (request.method !== 'HEAD' && (isParts || bytes > COUNTED_BYTES)) countOutgoing(request, reply, bytes)
  if (etag !== undefined) reply.header('etag', etag)
  reply.code(status)
  if (body === null) return reply.send()
  reply.header('content-type', contentType)
  if (packed) reply.header('content-encoding', encoding)
  const sent = packed || body
  return typeof sent === 'object' && 'parts' in sent ? sendParts(request, reply, sent) : reply.send(sent)
}

/** Says that an answer depends on a header of the request, beside those that it was said of before. */
export function varyBy(reply: FastifyReply, header: 'Accept' | 'Accept-Encoding'): void {
  const others = reply.getHeader('vary')
  reply.header('vary', others === undefined ? header : `${others}, ${header}`)
}

/** True where a client that reads has what this tag stands for: it gets 304, whatever the body is. */
export function isKnown(request: FastifyRequest, etag: string): boolean {
  const known = request.headers['if-none-match']
  return known !== undefined && isReading(request) && tagsOf(known).some((tag) => tag === bareTag(etag) || tag === '*')
}

function isReading({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** The body of an answer in an encoding; null where it had better be sent as it is. */
async function packedBody({ body, packed }: Reply, encoding: Encoding): Promise<Buffer | Parts | null> {
  if (body === null) return null
  if (typeof body === 'object' && 'parts' in body) {
    const parts = compressedParts(encoding, body.parts)
    return parts && { ...body, parts }
  }
  return packed ? packed(encoding) : compressed(encoding, Buffer.isBuffer(body) ? body : Buffer.from(body))
}

/** Who takes nothing of what waits is let go, and what waits has a bound. */
function countOutgoing(request: FastifyRequest, { raw }: FastifyReply, bytes: number): void {
  const { userId } = request
  if (isReading(request) && !outgoing.hasRoom(raw, bytes, userId)) throw errors.tooMuchWaiting()
  raw.once('finish', outgoing.add(raw, bytes, userId))
  raw.setTimeout(LIMITS.stalled.max)
}

/**
 * Revisions that an `If-Match` header accepts; undefined where any will do. A record that only its siblings have moved is
 * still the one that was read: the place in a tag is not compared. What is no tag of a record never matches.
 */
export function expectedRevisions(header: string): readonly number[] | undefined {
  const tags = header.split(',').map((tag) => tag.trim())
  if (tags.includes('*')) return undefined
  return tags.flatMap((tag) => /^"(\d{1,15})(?:-\d{1,15})?"$/.exec(tag)?.[1] ?? []).map(Number)
}

/** The entity tags in a header, weak ones as strong ones, and the asterisk as it is. */
export function tagsOf(header: string): readonly string[] {
  return header.split(',').map((tag) => bareTag(tag.trim()))
}

function bareTag(tag: string): string {
  return tag.replace(/^W\//, '')
}

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

/**
 * Answers a request whose body is not wanted: the answer is out at once, and ends when the rest of the body has come, which
 * is thrown away. A connection that is closed while its sender still sends loses the answer on the way.
 */
export function answerBeforeRest({ raw }: FastifyRequest, reply: FastifyReply, text: string): FastifyReply {
  async function* parts() {
    yield text
    // How much and how long is the watch's to say; who has gone needs no end.
    if (!raw.complete) await finished(raw.resume()).catch(() => {})
  }
  return reply.header('content-length', Buffer.byteLength(text)).send(Readable.from(parts()))
}
