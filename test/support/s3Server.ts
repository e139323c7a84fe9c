import { hash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import aws4 from 'aws4'
import type { BucketConfig } from '../../src/config/types.js'

/** How the server answers: as S3 does, not at all, or with this status. */
export type Mood = 'well' | 'silent' | number

/** A server that speaks the part of S3's interface that a store of small objects needs, with one bucket. */
export interface S3Server {
  /** What a hub is configured with to reach the bucket, as `prefix` says where in it, and to wait for it as long as a test may. */
  readonly config: BucketConfig
  /** Every object by its name. */
  readonly objects: Map<string, Buffer>
  /** Method and path of every request that had a valid signature. */
  readonly asked: string[]
  /** The code of every refusal. */
  readonly refused: string[]
  /** How it answers from now on; the next `times` requests only, where that is given. */
  behave(mood: Mood, times?: number): void
  close(): Promise<void>
}

const REGION = 'eu-test-1'
const KEYS = { accessKeyId: 'AKIATESTTESTTEST', secretAccessKey: 'secret/of+the=tests' }
const BUCKET = 'hub-test'
const MOST_SKEW_MS = 15 * 60_000

class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string
  ) {
    super(code)
  }
}

/**
 * Starts one on a free port of the loopback address. Every request needs a signature (AWS Signature Version 4), which another
 * implementation than the hub's computes, with the hash of its body in it, and a time that is not far off.
 */
export async function startS3(): Promise<S3Server> {
  const objects = new Map<string, Buffer>()
  const [asked, refused]: [string[], string[]] = [[], []]
  let mood: Mood = 'well'
  let left = Number.POSITIVE_INFINITY
  const moodNow = (): Mood => {
    const now = mood
    left--
    if (left <= 0) mood = 'well'
    return now
  }
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await bodyOf(request)
    const now = moodNow()
    if (now === 'silent') return
    try {
      if (now !== 'well') throw new Refusal(now, 'Ordered')
      requireSignature(request, body)
      asked.push(`${request.method} ${request.url?.split('?')[0]}`)
      answer(objects, request, body, response)
    } catch (error) {
      const { status, code } = error instanceof Refusal ? error : new Refusal(500, 'InternalError')
      refused.push(code)
      xml(response, status, `<Error><Code>${code}</Code><Message>It says &lt;no&gt;</Message></Error>`)
    }
  }
  const server = createServer((request, response) => void serve(request, response).catch(() => request.destroy()))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const endpoint = `http://127.0.0.1:${portOf(server.address())}`
  return {
    config: { bucket: BUCKET, region: REGION, endpoint, ...KEYS, prefix: 'avatars', timeoutSeconds: 30 },
    objects,
    asked,
    refused,
    behave(next, times = Number.POSITIVE_INFINITY) {
      mood = next
      left = times
    },
    async close() {
      server.closeAllConnections()
      server.close()
    }
  }
}

function answer(
  objects: Map<string, Buffer>,
  { method, url = '' }: IncomingMessage,
  body: Buffer,
  response: ServerResponse
): void {
  const { pathname, searchParams } = new URL(url, 'http://s3')
  const [, bucket = '', ...rest] = decodeURIComponent(pathname).split('/')
  const name = rest.join('/')
  if (bucket !== BUCKET) throw new Refusal(404, 'NoSuchBucket')
  if (method === 'GET' && name === '') xml(response, 200, listing(objects, searchParams))
  else if (method === 'PUT') {
    objects.set(name, body)
    response.end()
  } else if (method === 'DELETE') {
    objects.delete(name)
    response.writeHead(204).end()
  } else {
    const found = objects.get(name)
    if (!found) throw new Refusal(404, 'NoSuchKey')
    response.writeHead(200, { 'content-type': 'binary/octet-stream' }).end(found)
  }
}

/** `ListObjectsV2`, with names as XML writes them. */
function listing(objects: ReadonlyMap<string, Buffer>, asked: URLSearchParams): string {
  if (asked.get('list-type') !== '2') throw new Refusal(400, 'InvalidArgument')
  const prefix = asked.get('prefix') ?? ''
  const token = asked.get('continuation-token')
  const after = token === null ? (asked.get('start-after') ?? '') : Buffer.from(token, 'base64').toString()
  const most = Math.min(1000, Number(asked.get('max-keys') ?? 1000))
  const names = [...objects.keys()].filter((name) => name.startsWith(prefix) && name > after).toSorted()
  const page = names.slice(0, most)
  const last = page.at(-1)
  const isTruncated = names.length > page.length && last !== undefined
  const next = isTruncated
    ? `<NextContinuationToken>${Buffer.from(last).toString('base64')}</NextContinuationToken>`
    : ''
  const contents = page.map((name) => `<Contents><Key>${escaped(name)}</Key><Size>1</Size></Contents>`).join('')
  return `<ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${next}${contents}</ListBucketResult>`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

function xml(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' }).end(`<?xml version="1.0"?>\n${text}`)
}

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/[^,]+, SignedHeaders=([a-z0-9;-]+), Signature=[0-9a-f]{64}$/

/** Throws the refusal of what nobody has signed who knows the secret. */
function requireSignature({ method, url, headers }: IncomingMessage, body: Buffer): void {
  const [, accessKeyId, signed = ''] = AUTHORIZATION.exec(headers.authorization ?? '') ?? []
  if (accessKeyId !== KEYS.accessKeyId) throw new Refusal(403, 'InvalidAccessKeyId')
  const date = String(headers['x-amz-date'])
  const time = Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  if (!(Math.abs(Date.now() - time) < MOST_SKEW_MS)) throw new Refusal(403, 'RequestTimeTooSkewed')
  const names = signed.split(';')
  for (const needed of ['host', 'x-amz-content-sha256', 'x-amz-date'])
    if (!names.includes(needed)) throw new Refusal(403, 'AccessDenied')
  if (headers['x-amz-content-sha256'] !== hash('sha256', body, 'hex'))
    throw new Refusal(400, 'XAmzContentSHA256Mismatch')
  const covered = Object.fromEntries(names.map((name) => [name, String(headers[name])]))
  const signer = new aws4.RequestSigner(
    { service: 's3', region: REGION, method: method ?? '', path: url ?? '', headers: covered },
    KEYS
  )
  if (String(signer.sign().headers?.Authorization) !== headers.authorization)
    throw new Refusal(403, 'SignatureDoesNotMatch')
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('The server listens on no port.')
  return address.port
}
