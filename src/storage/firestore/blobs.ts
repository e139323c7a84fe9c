import { blobPage, requireBlob, requireBlobKey } from '../blobs.js'
import type { BlobStore } from '../storage.js'
import type { Client } from './client.js'
import { BLOBS, documentId, rowId } from './layout.js'
import { encode, textOf } from './values.js'

/** Below every key of a blob: a name may not be empty. */
const FIRST = '!'

/** The `BlobStore` in a collection below `aside`: a document for each key, far below the size that one may have. */
export function firestoreBlobs(client: Client, aside: string): BlobStore {
  const nameOf = (key: string) => `${aside}/${BLOBS}/${documentId(key)}`
  return {
    async get(key) {
      requireBlobKey(key)
      const text = textOf((await client.get([nameOf(key)])).documents[0]?.fields.body)
      return text === null ? null : Buffer.from(text, 'base64')
    },
    async put(key, bytes) {
      requireBlob(key, bytes)
      await client.commit([{ set: nameOf(key), fields: { body: encode(Buffer.from(bytes).toString('base64')) } }])
    },
    async list(after, limit) {
      const from = { name: nameOf(after === '' ? FIRST : after), inclusive: false }
      const { documents } = await client.query(aside, { collection: BLOBS, from, limit: blobPage(limit), fields: [] })
      return documents.map(({ name }) => rowId(name))
    },
    async delete(key) {
      requireBlobKey(key)
      await client.commit([{ remove: nameOf(key) }])
    }
  }
}
