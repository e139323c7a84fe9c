import * as assert from 'uvu/assert'
import { z } from 'zod'
import type { Call } from '../whole/client.js'
import type { Release } from './filled.js'
import { uuid } from './filledParts.js'

export type Row = Readonly<Record<string, unknown>>
export const record = z.record(z.string(), z.unknown())

/** What a hub that took a filled database over is asked. */
export interface Taken {
  readonly release: Release
  readonly call: Call
  /** The rows of a table, of the tenant that is taken over. */
  rows(table: string): readonly Row[]
  /** What the log says of a record, by its stream. */
  event(stream: string): Row
}

/** The list that an answer holds. */
export async function listed(answer: Promise<unknown>, name: string): Promise<readonly Row[]> {
  return z.array(record).parse(record.parse(await answer)[name])
}

/** Accounts that are gone are nobody. */
const person = (value: unknown) => (value === uuid('gone') ? null : value)

/** Asserts that of each row there is one record with its values, and no other; `left` are columns that are looked at elsewhere. */
export function same(records: readonly Row[], rows: readonly Row[], left: readonly string[] = []): void {
  const byId = (some: readonly Row[]) => some.toSorted((a, b) => (String(a.id) < String(b.id) ? -1 : 1))
  const wanted = byId(rows).map((row) =>
    Object.fromEntries(
      Object.entries(row)
        .filter(([name]) => !left.includes(name) && name !== 'tenantId')
        .map(([name, value]) => [name, person(value)])
    )
  )
  const found = byId(records).map((one, i) =>
    Object.fromEntries(Object.keys(wanted[i] ?? {}).map((name) => [name, one[name]]))
  )
  assert.is(records.length, rows.length)
  assert.equal(found, wanted)
}
