import { randomUUID } from 'node:crypto'
import { FieldPath } from '@google-cloud/firestore'
import { ABOVE_EVERY_KEY, requireState, requireStateKey, statePage } from '../state.js'
import type { StateEntry, StateStore } from '../storage.js'
import type { Client, Document } from './client.js'
import { Refused } from './errors.js'
import { documentId, rowId } from './layout.js'
import { textOf } from './values.js'
import { replacing } from './writes.js'

/** A `StateStore` in a collection: a document for each key. */
export function firestoreState(client: Client, collection: string): StateStore {
  const pathOf = (key: string) => `${collection}/${documentId(key)}`
  const read = async (key: string) => (await client.get([pathOf(key)])).documents[0]
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
      try {
        await client.commit([replacing(pathOf(key), { mark, body: text }, found)])
        return mark
      } catch (error) {
        if (error instanceof Refused) return null
        throw error
      }
    },
    async list(prefix, after, limit) {
      const { documents } = await client.query((store) =>
        store
          .collection(collection)
          .orderBy(FieldPath.documentId())
          .startAfter(documentId(after > prefix ? after : prefix))
          .endAt(documentId(prefix + ABOVE_EVERY_KEY))
          .limit(statePage(limit))
      )
      return documents.map(entryOf)
    },
    async delete(key) {
      requireStateKey(key)
      await client.commit([{ remove: pathOf(key) }])
    }
  }
}

function entryOf({ path, fields }: Document): StateEntry {
  return { key: rowId(path), mark: textOf(fields.mark) ?? '', text: textOf(fields.body) ?? '' }
}
