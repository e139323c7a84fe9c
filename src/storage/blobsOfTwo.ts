import { hash } from 'node:crypto'
import { blobPage } from './blobs.js'
import { type BlobStore, BlobsUnavailable } from './storage.js'

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
