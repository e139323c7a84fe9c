import { randomUUID } from 'node:crypto'
import { ABOVE_EVERY_KEY, requireState, requireStateKey, statePage } from '../state.js'
import type { StateEntry, StateStore } from '../storage.js'
import type { Client } from './client.js'
import { Refused } from './errors.js'
import { documentId, rowId, STATES } from './layout.js'
import { encode, textOf } from './values.js'
import type { Document } from './wire.js'

/** The `StateStore` in a collection below `aside`: a document for each key. */
export function firestoreState(client: Client, aside: string): StateStore {
  const nameOf = (key: string) => `${aside}/${STATES}/${documentId(key)}`
  const read = async (key: string) => (await client.get([nameOf(key)])).documents[0]
  return {
    async get(key) {
      requireStateKey(key)
      const found = await read(key)
      return found ? entryOf(found) : null
    },
    async put(key, text, over) {
      requireState(key, text)
      const found = over === null ? undefined : await read(key)
      if (over !== null && textOf(found?.fields.mark) !== over) return null
      const mark = randomUUID()
      const only = found ? { updateTime: found.updateTime } : { exists: false as const }
      try {
        await client.commit([{ set: nameOf(key), fields: { mark: encode(mark), body: encode(text) }, only }])
        return mark
      } catch (error) {
        if (error instanceof Refused) return null
        throw error
      }
    },
    async list(prefix, after, limit) {
      const from = { name: nameOf(after > prefix ? after : prefix), inclusive: false }
      const to = nameOf(prefix + ABOVE_EVERY_KEY)
      const { documents } = await client.query(aside, { collection: STATES, from, to, limit: statePage(limit) })
      return documents.map(entryOf)
    },
    async delete(key) {
      requireStateKey(key)
      await client.commit([{ remove: nameOf(key) }])
    }
  }
}

function entryOf({ name, fields }: Document): StateEntry {
  return { key: rowId(name), mark: textOf(fields.mark) ?? '', text: textOf(fields.body) ?? '' }
}
