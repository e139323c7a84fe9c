import type { BucketConfig } from '../config/types.js'
import { LIMITS } from '../limits.js'
import { type BlobStore, BlobsUnavailable, blobPage, requireBlob, requireBlobKey } from './blobs.js'
import { openBucket } from './s3/bucket.js'

/** A `BlobStore` that holds connections. */
export interface OpenBlobs extends BlobStore {
  close(): Promise<void>
}

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
  return {
    async get(key) {
      requireBlobKey(key)
      const { body } = await ask({ method: 'GET', name: objectName(prefix, key), most_bytes: LIMITS.blob.max })
      return body
    },
    async put(key, bytes) {
      requireBlob(key, bytes)
      const { isThere } = await ask({ method: 'PUT', name: objectName(prefix, key), body: bytes })
      if (!isThere) throw new BlobsUnavailable('noBucket')
    },
    async list(after, limit) {
      const most = blobPage(limit)
      const keys: string[] = []
      let next: string | null = null
      do {
        const from = next === null ? startOf(prefix, after) : { 'continuation-token': next }
        const query = { 'list-type': '2', prefix: `${prefix}/`, 'max-keys': String(most), ...from }
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
      requireBlobKey(key)
      await ask({ method: 'DELETE', name: objectName(prefix, key) })
    },
    close
  }
}

function startOf(prefix: string, after: string): Readonly<Record<string, string>> {
  return after === '' ? {} : { 'start-after': objectName(prefix, after) }
}

/** The name of the object that holds the blob of a key: the one place that says so. */
function objectName(prefix: string, key: string): string {
  return `${prefix}/${key}`
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
