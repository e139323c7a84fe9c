import type { Client } from './client.js'
import { MIGRATIONS, numberId } from './layout.js'
import { encode, integerOf } from './values.js'
import type { Document } from './wire.js'

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
  let known: readonly Document[] = []
  return {
    async applied() {
      const before = known
      const last = before.at(-1)
      const from = last && { name: last.name, inclusive: true }
      const { documents } = await client.query(aside, { collection: MIGRATIONS, from })
      const isOther = last !== undefined && documents[0]?.name !== last.name
      known = isOther
        ? (await client.query(aside, { collection: MIGRATIONS })).documents
        : [...before.slice(0, -1), ...documents]
      return known.map(({ fields }) => integerOf(fields.number) ?? 0)
    },
    async record(number, name, at) {
      const fields = { number: encode(number), name: encode(name), at: encode(at) }
      await client.commit([{ set: `${aside}/${MIGRATIONS}/${numberId(number)}`, fields }])
      known = []
    }
  }
}
