import { randomUUID } from 'node:crypto'
import {
  ABOVE_EVERY_KEY,
  requireState,
  requireStateKey,
  type StateEntry,
  type StateStore,
  statePage
} from '../state.js'
import { StorageUnavailable } from '../storage.js'
import type { RawRow, SqlDriver, Statement } from './dialect.js'

/** The `StateStore` in the table of a prefix. */
export function sqlState({ dialect, query, transaction }: SqlDriver, prefix: string): StateStore {
  const { placeholder: p, upsert } = dialect
  const table = `${prefix}state`
  const get = async (key: string) => {
    const [row] = await query({ text: `SELECT id, mark, body FROM ${table} WHERE id = ${p(1)}`, values: [key] })
    return row ? entryOf(row) : null
  }
  /** Breaks a constraint where the text with this mark is not there. */
  const replacement = (key: string, text: string, mark: string, over: string): readonly Statement[] => [
    {
      text: `INSERT INTO ${table} (id, mark, body) VALUES (${p(1)}, '', '') ${upsert('id', ['id'])}`,
      values: [key]
    },
    {
      text: `UPDATE ${table} SET body = ${p(1)}, mark = CASE WHEN mark = ${p(2)} THEN ${p(3)} END WHERE id = ${p(4)}`,
      values: [text, over, mark, key]
    }
  ]
  const insertion = (key: string, text: string, mark: string): readonly Statement[] => [
    { text: `INSERT INTO ${table} (id, mark, body) VALUES (${p(1)}, ${p(2)}, ${p(3)})`, values: [key, mark, text] }
  ]
  return {
    async get(key) {
      requireStateKey(key)
      return get(key)
    },
    async put(key, text, over) {
      requireState(key, text)
      const mark = randomUUID()
      try {
        await transaction(over === null ? insertion(key, text, mark) : replacement(key, text, mark, over))
        return mark
      } catch (error) {
        if (error instanceof StorageUnavailable) throw error
        const found = (await get(key))?.mark ?? null
        // A transaction that was sent again finds what it has done the first time.
        if (found === mark) return mark
        if (found === over) throw error
        return null
      }
    },
    async list(prefix, after, limit) {
      const from = after > prefix ? after : prefix
      const rows = await query({
        text: `SELECT id, mark, body FROM ${table} WHERE id > ${p(1)} AND id < ${p(2)} ORDER BY id LIMIT ${p(3)}`,
        values: [from, prefix + ABOVE_EVERY_KEY, statePage(limit)],
        hasLimit: true
      })
      return rows.map(entryOf)
    },
    async delete(key) {
      requireStateKey(key)
      await transaction([{ text: `DELETE FROM ${table} WHERE id = ${p(1)}`, values: [key] }])
    }
  }
}

function entryOf({ id, mark, body }: RawRow): StateEntry {
  return { key: String(id), mark: String(mark), text: String(body) }
}
