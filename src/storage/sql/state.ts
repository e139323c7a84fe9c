import { randomUUID } from 'node:crypto'
import type { BlobStore } from '../blobs.js'
import { ABOVE_EVERY_KEY, type StateEntry, type StateStore } from '../state.js'
import { StorageUnavailable } from '../storage.js'
import { type RawRow, raw, type SqlDriver, type Statement, statements, withLimit } from './dialect.js'

/** The `StateStore` in the table of a prefix. */
export function sqlState({ dialect, query, transaction }: SqlDriver, prefix: string): StateStore {
  const statement = statements(dialect)
  const table = raw(`${prefix}state`)
  const kept = raw(dialect.upsert('id', ['id']))
  const get = async (key: string) => {
    const [row] = await query(statement`SELECT id, mark, body FROM ${table} WHERE id = ${key}`)
    return row ? entryOf(row) : null
  }
  /** Breaks a constraint where the text with this mark is not there. */
  const replacement = (key: string, text: string, mark: string, over: string): readonly Statement[] => [
    statement`INSERT INTO ${table} (id, mark, body) VALUES (${key}, '', '') ${kept}`,
    statement`UPDATE ${table} SET body = ${text}, mark = CASE WHEN mark = ${over} THEN ${mark} END WHERE id = ${key}`
  ]
  const insertion = (key: string, text: string, mark: string): readonly Statement[] => [
    statement`INSERT INTO ${table} (id, mark, body) VALUES (${key}, ${mark}, ${text})`
  ]
  return {
    get,
    async put(key, text, over) {
      const mark = randomUUID()
      try {
        await transaction(over === null ? insertion(key, text, mark) : replacement(key, text, mark, over))
        return mark
      } catch (error) {
        if (error instanceof StorageUnavailable) throw error
        const found = (await get(key))?.mark ?? null
        if (found === over) throw error
        return null
      }
    },
    async list(prefix, after, limit) {
      const listed = statement`SELECT id, mark, body FROM ${table} WHERE id > ${after} AND id < ${prefix + ABOVE_EVERY_KEY} ORDER BY id LIMIT ${limit}`
      const rows = await query(withLimit(listed))
      return rows.map(entryOf)
    },
    async delete(key) {
      await transaction([statement`DELETE FROM ${table} WHERE id = ${key}`])
    }
  }
}

function entryOf({ id, mark, body }: RawRow): StateEntry {
  return { key: String(id), mark: String(mark), text: String(body) }
}

/** The `BlobStore` in the table of a prefix. Bytes are kept as base64: a text is the same in every dialect. */
export function sqlBlobs({ dialect, query, transaction }: SqlDriver, prefix: string): BlobStore {
  const statement = statements(dialect)
  const table = raw(`${prefix}blobs`)
  const replaced = raw(dialect.upsert('id', ['body']))
  return {
    async get(key) {
      const [row] = await query(statement`SELECT body FROM ${table} WHERE id = ${key}`)
      return row ? Buffer.from(String(row.body), 'base64') : null
    },
    async put(key, bytes) {
      const body = Buffer.from(bytes).toString('base64')
      await transaction([statement`INSERT INTO ${table} (id, body) VALUES (${key}, ${body}) ${replaced}`])
    },
    async list(after, limit) {
      const listed = statement`SELECT id FROM ${table} WHERE id > ${after} ORDER BY id LIMIT ${limit}`
      return (await query(withLimit(listed))).map(({ id }) => String(id))
    },
    async delete(key) {
      await transaction([statement`DELETE FROM ${table} WHERE id = ${key}`])
    }
  }
}
