import { hash } from 'node:crypto'
import { LIMITS } from '../limits.js'

/**
 * Bytes beside the log by their sha256 in hexadecimal digits: what rows refer to and no row should carry. At most `LIMITS.blob`
 * bytes each; keys and sizes are checked. Under a key there is one thing only, so whoever puts it again changes nothing. Where they
 * are not in the database, every method throws `BlobsUnavailable` when they cannot be reached.
 */
export interface BlobStore {
  get(key: string): Promise<Buffer | null>
  put(key: string, bytes: Uint8Array): Promise<void>
  /** The keys above `after`, ascending: at most `limit`, and `LIMITS.blobPage`. */
  list(after: string, limit: number): Promise<readonly string[]>
  /** Nothing where there is none. */
  delete(key: string): Promise<void>
}

/** Why blobs that are in object storage cannot be had: nobody answers, or what is asked is refused, not there, or elsewhere. */
export type BlobsTrouble = 'silent' | 'refused' | 'noBucket' | 'elsewhere'

const TROUBLES: Readonly<Record<BlobsTrouble, string>> = {
  silent: 'The object storage does not answer.',
  refused: 'The object storage refuses what it is asked for.',
  noBucket: 'The object storage has no such bucket.',
  elsewhere: 'The bucket is in another region, or at another endpoint.'
}

/** Object storage could not be used. What was asked may or may not have happened. Nothing else of the hub depends on it. */
export class BlobsUnavailable extends Error {
  override readonly name = 'BlobsUnavailable'

  constructor(
    readonly why: BlobsTrouble,
    options?: ErrorOptions
  ) {
    super(TROUBLES[why], options)
  }
}

const KEY = /^[0-9a-f]{64}$/

/** Throws a `RangeError` for what is no key of a `BlobStore`. */
function requireKey(key: string): void {
  if (!KEY.test(key)) throw new RangeError(`This is no key of a blob: ${JSON.stringify(key)}`)
}

/** How many keys a list may have that is asked for so many. */
function blobPage(limit: number): number {
  return Math.min(limit, LIMITS.blobPage.max)
}

/** What a driver keeps, with the checks and the bounds of every `BlobStore`. */
export function checkedBlobs(blobs: BlobStore): BlobStore {
  return {
    async get(key) {
      requireKey(key)
      return blobs.get(key)
    },
    async put(key, bytes) {
      requireKey(key)
      if (bytes.length > LIMITS.blob.max)
        throw new RangeError(`The blob ${key} has ${bytes.length} bytes, which are too many.`)
      await blobs.put(key, bytes)
    },
    list: (after, limit) => blobs.list(after, blobPage(limit)),
    async delete(key) {
      requireKey(key)
      await blobs.delete(key)
    }
  }
}

/**
 * Blobs that are put into `home`, and may still be in another place, which they are read from until somebody has moved them. What
 * is not what its key says, since others may write to a bucket too, counts as not there.
 */
export function blobsOfTwo(home: BlobStore, other: BlobStore): BlobStore {
  return {
    async get(key) {
      const found = await whole(home, key).catch((error: unknown) => {
        if (error instanceof BlobsUnavailable) return error
        throw error
      })
      if (found && !(found instanceof BlobsUnavailable)) return found
      const left = await whole(other, key)
      if (left === null && found) throw found
      return left
    },
    put: (key, bytes) => home.put(key, bytes),
    async list(after, limit) {
      const both = await Promise.all([home.list(after, limit), other.list(after, limit)])
      return [...new Set(both.flat())].toSorted().slice(0, blobPage(limit))
    },
    async delete(key) {
      const done = await Promise.allSettled([home.delete(key), other.delete(key)])
      for (const one of done) if (one.status === 'rejected') throw one.reason
    }
  }
}

/** The bytes of a key, where they are those that it says. */
async function whole(blobs: BlobStore, key: string): Promise<Buffer | null> {
  const bytes = await blobs.get(key)
  return bytes && hash('sha256', bytes, 'hex') === key ? bytes : null
}
