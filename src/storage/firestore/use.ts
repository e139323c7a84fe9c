import type { DocumentCounts } from '../storage.js'
import type { Client } from './client.js'

/** So many entries of an index are counted for the price of one document. */
const COUNTED_AS_ONE = 1000

/**
 * The same client, and what was asked of it since, as Firestore charges it: a name that nothing is under, a question without an answer
 * and a condition of a count cost a document too. What is asked again, or was refused, counts once or not at all.
 */
export function counting(client: Client): { readonly client: Client; readonly counts: () => DocumentCounts } {
  const counts = { read: 0, written: 0, deleted: 0, commits: 0, questions: 0 }
  const asked = (read: number) => {
    counts.read += read
    counts.questions++
  }
  return {
    counts: () => ({ ...counts }),
    client: {
      ...client,
      async commit(writes) {
        const times = await client.commit(writes)
        const deleted = writes.filter((write) => 'remove' in write).length
        counts.commits++
        counts.deleted += deleted
        counts.written += writes.length - deleted
        return times
      },
      async get(names, readTime, bytesMax) {
        const result = await client.get(names, readTime, bytesMax)
        asked(result.isCut ? result.documents.length : names.length)
        return result
      },
      async query(parent, query, readTime, bytesMax) {
        const result = await client.query(parent, query, readTime, bytesMax)
        asked(Math.max(1, result.documents.length))
        return result
      },
      async count(parent, query) {
        const count = await client.count(parent, query)
        asked(Math.max(1, Math.ceil(count / COUNTED_AS_ONE)))
        return count
      },
      async collections(parent) {
        const ids = await client.collections(parent)
        asked(1)
        return ids
      }
    }
  }
}
