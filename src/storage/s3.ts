import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import { Agent, request } from 'undici'
import type { BucketConfig } from '../config/types.js'
import { VERSION } from '../lib/version.js'
import { LIMITS } from '../limits.js'
import { type BlobStore, BlobsUnavailable, checkedBlobs } from './blobs.js'

/** A `BlobStore` that holds connections. */
export interface OpenBlobs extends BlobStore {
  close(): Promise<void>
}

const CONNECTIONS = 16
const CONNECT_LIMIT_MS = 2000
/** A connection that was closed a moment ago, or a server that has its hands full, is asked once more. */
const ATTEMPTS = 2
const PAUSE_MS = 100
const REST_MS = 1000
/** A refusal, or what says that something was done. */
const MOST_PLAIN_BYTES = 64 * 1024
const CODE = /<Code>([A-Za-z0-9]{1,100})<\/Code>/
const BUSY: readonly number[] = [429, 500, 502, 503, 504]
const SHA256 = /^[0-9a-f]{64}$/
/** A page of a thousand objects, with names as long as they may be. */
const MOST_PAGE_BYTES = 4 * 1024 * 1024

/**
 * The `BlobStore` in a bucket of S3, or of what speaks as S3 does: an object for each key, below the prefix. What else is there is
 * left alone. Its methods throw `BlobsUnavailable`.
 */
export function openS3Blobs(config: BucketConfig): OpenBlobs {
  const { prefix } = config
  const { ask, close } = openBucket(config)
  /** The name of the object that holds the blob of a key: the one place that says so. */
  const nameOf = (key: string) => `${prefix}/${key}`
  const blobs = checkedBlobs({
    async get(key) {
      const { body } = await ask({ method: 'GET', name: nameOf(key), most_bytes: LIMITS.blob.max })
      return body
    },
    async put(key, bytes) {
      const { isThere } = await ask({ method: 'PUT', name: nameOf(key), body: bytes })
      if (!isThere) throw new BlobsUnavailable('noBucket')
    },
    async list(after, most) {
      const keys: string[] = []
      let next: string | null = null
      do {
        const [from, value] = next === null ? ['start-after', nameOf(after)] : ['continuation-token', next]
        const query = { 'list-type': '2', prefix: nameOf(''), 'max-keys': String(most), [from]: value }
        const { isThere, body } = await ask({ method: 'GET', name: '', query, most_bytes: MOST_PAGE_BYTES })
        if (!isThere) throw new BlobsUnavailable('noBucket')
        if (!body) throw new BlobsUnavailable('refused')
        const page = objectPage(body.toString('utf8'))
        keys.push(...page.names.flatMap((name) => keyIn(prefix, name) ?? []))
        next = page.next
      } while (next !== null && keys.length < most)
      return keys.slice(0, most)
    },
    async delete(key) {
      await ask({ method: 'DELETE', name: nameOf(key) })
    }
  })
  return { ...blobs, close }
}

/** The key of the blob that an object holds; null for what is no blob of this prefix. */
function keyIn(prefix: string, name: string): string | null {
  const key = name.startsWith(`${prefix}/`) ? name.slice(prefix.length + 1) : ''
  return SHA256.test(key) ? key : null
}

/** A page of the objects of a bucket, in order of their names. */
export interface ObjectPage {
  readonly names: readonly string[]
  /** What the next page is asked for with; null where there is none. */
  readonly next: string | null
}

const NAME = /<Key>([^<]*)<\/Key>/g
const NEXT = /<NextContinuationToken>([^<]+)<\/NextContinuationToken>/

/** What `ListObjectsV2` answers. Of its XML only the texts of two elements are read, which hold no other element. */
export function objectPage(xml: string): ObjectPage {
  const names = [...xml.matchAll(NAME)].map(([, name = '']) => plain(name))
  const next = /<IsTruncated>\s*true\s*</.test(xml) ? NEXT.exec(xml)?.[1] : undefined
  return { names, next: next === undefined ? null : plain(next) }
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function plain(text: string): string {
  return text.replace(/&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([0-9a-f]{1,6}));/gi, (whole, name, decimal, hex) => {
    if (typeof name === 'string') return ENTITIES[name.toLowerCase()] ?? whole
    const point = typeof hex === 'string' ? Number.parseInt(hex, 16) : Number(decimal)
    return point <= 0x10ffff ? String.fromCodePoint(point) : whole
  })
}

/** One call of the interface of S3. */
interface BucketCall {
  readonly method: 'GET' | 'PUT' | 'DELETE'
  /** The name of an object; empty for the bucket itself. Nothing in it needs to be encoded. */
  readonly name: string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
  /** As much of an answer is read, where not what an empty one may have. */
  readonly most_bytes?: number
}

/** An answer that tells of the object; everything else was thrown. */
interface BucketAnswer {
  /** False where there is no such object. */
  readonly isThere: boolean
  /** Null where it is larger than was asked for. */
  readonly body: Buffer | null
}

/**
 * Opens a bucket, which nobody is asked anything of yet. Who asks gets `BlobsUnavailable` in the time that the configuration gives or,
 * after a silence, at once. Redirects are not followed.
 */
function openBucket(config: BucketConfig) {
  const timeout_ms = config.timeoutSeconds * 1000
  const dispatcher = new Agent({
    connections: CONNECTIONS,
    connect: { timeout: Math.min(CONNECT_LIMIT_MS, timeout_ms) }
  })
  const gated = gate()
  const once = async (call: BucketCall, signal: AbortSignal) => {
    const { method, name, query = {}, body = null, most_bytes = MOST_PLAIN_BYTES } = call
    const url = new URL(addressOf(config, name))
    for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value)
    const { accessKeyId, secretAccessKey, region } = config
    const sent = {
      'user-agent': `collections-hub/${VERSION}`,
      'x-amz-content-sha256': hash('sha256', body ?? '', 'hex')
    }
    const signer = new AwsV4Signer({
      ...{ method, url: url.href, headers: sent, accessKeyId, secretAccessKey, region },
      service: 's3'
    })
    const headers = Object.fromEntries((await signer.sign()).headers)
    const answer = await request(url, { dispatcher, method, headers, body, signal })
    const isOk = answer.statusCode >= 200 && answer.statusCode < 300
    return { status: answer.statusCode, isOk, body: await atMost(answer.body, isOk ? most_bytes : MOST_PLAIN_BYTES) }
  }
  const ask = async (call: BucketCall): Promise<BucketAnswer> => {
    const stop = new AbortController()
    const timer = setTimeout(() => stop.abort(), timeout_ms)
    try {
      for (let attempt = 1; ; attempt++) {
        const answer = await once(call, stop.signal).catch((error: unknown) => {
          if (attempt === ATTEMPTS || stop.signal.aborted) throw new BlobsUnavailable('silent', { cause: error })
          return null
        })
        if (answer && (attempt === ATTEMPTS || !BUSY.includes(answer.status))) return answerOf(answer)
        await sleep(PAUSE_MS)
      }
    } finally {
      clearTimeout(timer)
    }
  }
  return {
    ask: (call: BucketCall) => gated(() => ask(call)),
    close: () => dispatcher.destroy()
  }
}

/** With an endpoint of its own, or a dot in its name that no certificate covers, a bucket stands in the path. */
function addressOf({ endpoint, bucket, region }: BucketConfig, name: string): string {
  if (endpoint !== undefined) return `${endpoint}/${bucket}/${name}`
  const host = `s3.${region}.amazonaws.com`
  return bucket.includes('.') ? `https://${host}/${bucket}/${name}` : `https://${bucket}.${host}/${name}`
}

function answerOf({ status, isOk, body }: { status: number; isOk: boolean; body: Buffer | null }): BucketAnswer {
  if (isOk) return { isThere: true, body }
  const code = CODE.exec(body?.toString('utf8') ?? '')?.[1] ?? ''
  if (status === 404 && code !== 'NoSuchBucket') return { isThere: false, body: null }
  const cause = new Error(`status ${status}${code === '' ? '' : `, ${code}`}`)
  if (status === 404) throw new BlobsUnavailable('noBucket', { cause })
  if (status === 401 || status === 403) throw new BlobsUnavailable('refused', { cause })
  if ((status >= 300 && status < 400) || code === 'AuthorizationHeaderMalformed')
    throw new BlobsUnavailable('elsewhere', { cause })
  throw new BlobsUnavailable(BUSY.includes(status) ? 'silent' : 'refused', { cause })
}

/** The whole of an answer; null, with the rest not taken, where it is larger. */
async function atMost(
  body: AsyncIterable<Buffer> & { on(event: 'error', listen: () => void): { destroy(): void } },
  most_bytes: number
): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes <= most_bytes) continue
    body.on('error', () => undefined).destroy()
    return null
  }
  return Buffer.concat(chunks)
}

/**
 * Spares everybody the wait for what gave no sign of life a moment ago: after such a failure all are refused with it at once, until
 * one who comes later has found an answer.
 */
function gate() {
  let shut: { readonly why: BlobsUnavailable; readonly until_ms: number } | null = null
  let isTrying = false
  return async <T>(work: () => Promise<T>): Promise<T> => {
    const before = shut
    if (before && (isTrying || performance.now() < before.until_ms)) throw before.why
    if (before) isTrying = true
    try {
      const done = await work()
      shut = null
      return done
    } catch (error) {
      const isSilence = error instanceof BlobsUnavailable && error.why === 'silent'
      shut = isSilence ? { why: error, until_ms: performance.now() + REST_MS } : null
      throw error
    } finally {
      if (before) isTrying = false
    }
  }
}
