import { Firestore, Timestamp } from '@google-cloud/firestore'
import type { FirestoreConfig } from '../../config/types.js'
import { EMULATOR_CREDENTIALS } from '../firestore/link.js'
import { type PlainRecord, type PlainTables, plainRecord } from './plain.js'

/** Plain collections of a Firestore project. A record's id is its document's, but for one that no document may have. */
export async function openPlainFirestore({ projectId, keyFilename }: FirestoreConfig): Promise<PlainTables> {
  const isEmulator = process.env.FIRESTORE_EMULATOR_HOST !== undefined
  const store = new Firestore({
    projectId,
    ...(keyFilename !== undefined && { keyFilename }),
    ...(isEmulator && { credentials: EMULATOR_CREDENTIALS })
  })
  return {
    names: async () => new Set((await store.listCollections()).map(({ id }) => id)),
    async *records(table): AsyncGenerator<PlainRecord> {
      for await (const document of store.collection(table).orderBy('__name__').stream()) {
        // The stream's elements are snapshots of documents; its type says strings and buffers.
        const { id, data } = document as unknown as { id: string; data(): Record<string, unknown> }
        const fields = withDates(data.call(document))
        yield plainRecord({ ...fields, id: isReserved(fields.id) ? fields.id : id })
      }
    },
    count: async (table) => (await store.collection(table).count().get()).data().count,
    close: () => store.terminate()
  }
}

const isReserved = (id: unknown) => typeof id === 'string' && /^__.*__$/.test(id)

function withDates(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, value instanceof Timestamp ? value.toDate() : value])
  )
}
