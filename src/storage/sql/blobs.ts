import { type BlobStore, blobPage, requireBlob, requireBlobKey } from '../blobs.js'
import type { SqlDriver } from './dialect.js'

/** The `BlobStore` in the table of a prefix. Bytes are kept as base64: a text is the same in every dialect. */
export function sqlBlobs({ dialect, query, transaction }: SqlDriver, prefix: string): BlobStore {
  const { placeholder: p, upsert } = dialect
  const table = `${prefix}blobs`
  return {
    async get(key) {
      requireBlobKey(key)
      const [row] = await query({ text: `SELECT body FROM ${table} WHERE id = ${p(1)}`, values: [key] })
      return row ? Buffer.from(String(row.body), 'base64') : null
    },
    async put(key, bytes) {
      requireBlob(key, bytes)
      const text = `INSERT INTO ${table} (id, body) VALUES (${p(1)}, ${p(2)}) ${upsert('id', ['body'])}`
      await transaction([{ text, values: [key, Buffer.from(bytes).toString('base64')] }])
    },
    async list(after, limit) {
      const text = `SELECT id FROM ${table} WHERE id > ${p(1)} ORDER BY id LIMIT ${p(2)}`
      const rows = await query({ text, values: [after, blobPage(limit)], hasLimit: true })
      return rows.map(({ id }) => String(id))
    },
    async delete(key) {
      requireBlobKey(key)
      await transaction([{ text: `DELETE FROM ${table} WHERE id = ${p(1)}`, values: [key] }])
    }
  }
}
