import { FieldPath } from '@google-cloud/firestore'
import type { Client, Document } from './client.js'
import { lastOf, MIGRATIONS, numberId } from './layout.js'
import { integerOf } from './values.js'

/** Which migrations were carried out, below `aside`. */
interface AppliedMigrations {
  /**
   * Their numbers, ascending. They are recorded in this order and none is taken back, so who has asked before reads the last that is known
   * and what comes behind it: one document where there is nothing new. Where that one is gone, the database is another, and all are read.
   */
  applied(): Promise<readonly number[]>
  record(number: number, name: string, at: string): Promise<void>
}

/** Reads and records migrations in a collection below `aside`. */
export function appliedMigrations(client: Client, aside: string): AppliedMigrations {
  const collection = `${aside}/${MIGRATIONS}`
  const from = async (id: string) =>
    (await client.query((store) => store.collection(collection).orderBy(FieldPath.documentId()).startAt(id))).documents
  let known: readonly Document[] = []
  return {
    async applied() {
      const before = known
      const last = before.at(-1)
      const found = await from(last ? lastOf(last.path) : numberId(0))
      const isOther = last !== undefined && found[0]?.path !== last.path
      known = isOther ? await from(numberId(0)) : [...before.slice(0, -1), ...found]
      return known.map(({ fields }) => integerOf(fields.number) ?? 0)
    },
    async record(number, name, at) {
      await client.commit([{ set: `${collection}/${numberId(number)}`, fields: { number, name, at } }])
      known = []
    }
  }
}
