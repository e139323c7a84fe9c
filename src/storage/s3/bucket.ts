import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import { Agent, request } from 'undici'
import type { BucketConfig } from '../../config/types.js'
import { VERSION } from '../../version.js'
import { BlobsUnavailable } from '../blobs.js'

/** One call of the interface of S3. */
export interface BucketCall {
  readonly method: 'GET' | 'PUT' | 'DELETE'
  /** The name of an object; empty for the bucket itself. Nothing in it needs to be encoded. */
  readonly name: string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
  /** As much of an answer is read, where not what an empty one may have. */
  readonly most_bytes?: number
}

/** An answer that tells of the object; everything else was thrown. */
export interface BucketAnswer {
  /** False where there is no such object. */
  readonly isThere: boolean
  /** Null where it is larger than was asked for. */
  readonly body: Buffer | null
}

/** A bucket that is asked with the keys of a configuration. */
export interface Bucket {
  /** Throws `BlobsUnavailable`, in the time that the configuration gives or, after a silence, at once. */
  ask(call: BucketCall): Promise<BucketAnswer>
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

/** Opens a bucket; nobody is asked anything yet. Redirects are not followed. */
export function openBucket(config: BucketConfig): Bucket {
  const timeout_ms = config.timeoutSeconds * 1000
  const dispatcher = new Agent({
    connections: CONNECTIONS,
    connect: { timeout: Math.min(CONNECT_LIMIT_MS, timeout_ms) }
  })
  const gated = gate((error) => error instanceof BlobsUnavailable && error.why === 'silent', REST_MS)
  const once = async (call: BucketCall, signal: AbortSignal) => {
    const { method, name, query = {}, body = null, most_bytes = MOST_PLAIN_BYTES } = call
    const url = new URL(addressOf(config, name))
    for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value)
    const { accessKeyId, secretAccessKey, region } = config
    const sent = { 'user-agent': `collections-hub/${VERSION}`, 'x-amz-content-sha256': sha256(body ?? Buffer.alloc(0)) }
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
          if (attempt === ATTEMPTS || stop.signal.aborted) throw silent(error)
          return null
        })
        if (answer && (attempt === ATTEMPTS || !BUSY.includes(answer.status))) return told(answer)
        await sleep(PAUSE_MS)
      }
    } finally {
      clearTimeout(timer)
    }
  }
  return {
    ask: (call) => gated(() => ask(call)),
    close: () => dispatcher.destroy()
  }
}

/** With an endpoint of its own, or a dot in its name that no certificate covers, a bucket stands in the path. */
function addressOf({ endpoint, bucket, region }: BucketConfig, name: string): string {
  if (endpoint !== undefined) return `${endpoint}/${bucket}/${name}`
  const host = `s3.${region}.amazonaws.com`
  return bucket.includes('.') ? `https://${host}/${bucket}/${name}` : `https://${bucket}.${host}/${name}`
}

function told({ status, isOk, body }: { status: number; isOk: boolean; body: Buffer | null }): BucketAnswer {
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

function silent(cause: unknown): BlobsUnavailable {
  return new BlobsUnavailable('silent', { cause })
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

function sha256(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'hex')
}

/**
 * Spares everybody the wait for what gave no sign of life a moment ago: after such a failure all are refused with it at once, until
 * one who comes later has found an answer.
 */
function gate(isSilence: (error: unknown) => boolean, rest_ms: number) {
  let shut: { readonly why: unknown; readonly until_ms: number } | null = null
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
      shut = isSilence(error) ? { why: error, until_ms: performance.now() + rest_ms } : null
      throw error
    } finally {
      if (before) isTrying = false
    }
  }
}
