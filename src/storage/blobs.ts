import { LIMITS } from '../limits.js'

const KEY = /^[0-9a-f]{64}$/

/** Throws a `RangeError` for what is no key of a `BlobStore`. */
export function requireBlobKey(key: string): void {
  if (!KEY.test(key)) throw new RangeError(`This is no key of a blob: ${JSON.stringify(key)}`)
}

/** Throws a `RangeError` for what a `BlobStore` does not take under a key. */
export function requireBlob(key: string, bytes: Uint8Array): void {
  requireBlobKey(key)
  if (bytes.length > LIMITS.blob.max)
    throw new RangeError(`The blob ${key} has ${bytes.length} bytes, which are too many.`)
}

/** How many keys a list may have that is asked for so many. */
export function blobPage(limit: number): number {
  return Math.min(limit, LIMITS.blobPage.max)
}
