import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Listing } from '../../queries/listing.js'
import { array, type JsonText } from '../../queries/record.js'
import type { View } from '../log/view.js'
import type { Row } from '../storage/storage.js'

/** A reply as its bytes, with the entity tag that stands for them. */
export interface Answer {
  readonly status: number
  readonly body: Buffer | JsonText | null
  readonly etag?: string
}

export const noContent: Answer = { status: 204, body: null }

/** A JSON reply that no tag stands for. */
export function json(value: unknown, status = 200): Answer {
  return { status, body: typeof value === 'string' ? value : JSON.stringify(value) }
}

/** One record, under the tag of its revision. */
export function record(text: JsonText, row: Row, status = 200): Answer {
  return { status, body: text, etag: `"${row.revision}"` }
}

/** A list, under a tag of its bytes. */
export function list(name: string, records: readonly JsonText[]): Answer {
  const body = Buffer.from(`{"${name}":${array(records)}}`)
  return { status: 200, body, etag: `"${createHash('sha1').update(body).digest('base64url')}"` }
}

/** The reply to a list, made once for as long as what it depends on stays the same. */
export function listing(view: View, { read, ...what }: Listing): Promise<Answer> {
  return view.cached(
    `list/${what.name}/${what.scope ?? ''}/${what.key}`,
    [what],
    ({ body }) => 200 + (body?.length ?? 0),
    async () => list(what.name, await read(view))
  )
}

/** Sends an answer; a GET whose tag the client has gets 304 and no body. */
export function send(request: FastifyRequest, reply: FastifyReply, { status, body, etag }: Answer): FastifyReply {
  if (etag !== undefined) {
    reply.header('etag', etag)
    const known = request.headers['if-none-match']
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (known !== undefined && isRead && tagsOf(known).some((tag) => tag === etag || tag === '*')) {
      return reply.code(304).send()
    }
  }
  reply.code(status)
  if (body === null) return reply.send()
  return reply.header('content-type', 'application/json; charset=utf-8').send(body)
}

/** Revisions that an `If-Match` header accepts; undefined where any will do. What is no revision of ours never matches. */
export function expectedRevisions(header: string | undefined): readonly number[] | undefined {
  if (header === undefined) return undefined
  const tags = header.split(',').map((tag) => tag.trim())
  if (tags.includes('*')) return undefined
  return tags.flatMap((tag) => /^"(\d{1,15})"$/.exec(tag)?.[1] ?? []).map(Number)
}

function tagsOf(header: string): readonly string[] {
  return header.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
}
