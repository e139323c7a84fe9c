import { FieldPath } from '@google-cloud/firestore'
import { blobPage, requireBlob, requireBlobKey } from '../blobs.js'
import type { BlobStore } from '../storage.js'
import type { Client } from './client.js'
import { BLOBS, documentId, rowId } from './layout.js'
import { textOf } from './values.js'

/** Below every key of a blob: an id may not be empty. */
const FIRST = '!'

/** The `BlobStore` in a collection below `aside`: a document for each key, far below the size that one may have. */
export function firestoreBlobs(client: Client, aside: string): BlobStore {
  const collection = `${aside}/${BLOBS}`
  const pathOf = (key: string) => `${collection}/${documentId(key)}`
  return {
    async get(key) {
      requireBlobKey(key)
      const text = textOf((await client.get([pathOf(key)])).documents[0]?.fields.body)
      return text === null ? null : Buffer.from(text, 'base64')
    },
    async put(key, bytes) {
      requireBlob(key, bytes)
      await client.commit([{ set: pathOf(key), fields: { body: Buffer.from(bytes).toString('base64') } }])
    },
    async list(after, limit) {
      const { documents } = await client.query((store) =>
        store
          .collection(collection)
          .orderBy(FieldPath.documentId())
          .startAfter(after === '' ? FIRST : documentId(after))
          .limit(blobPage(limit))
          .select()
      )
      return documents.map(({ path }) => rowId(path))
    },
    async delete(key) {
      requireBlobKey(key)
      await client.commit([{ remove: pathOf(key) }])
    }
  }
}
