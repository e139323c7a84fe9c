import type { Row, Snapshot } from '../src/storage/storage.js'
import { tables } from './index.js'

const PAGE = 500

/** A running digest: sha256 over what it is given, in lower-case hex. */
export type Digest = () => { update(text: string): unknown; digest(encoding: 'hex'): string }

/** What a read table holds, in short: equal for equal rows, whatever database they are in. */
export interface TableDigest {
  readonly table: string
  readonly rows: number
  readonly sha256: string
}

/** The digest of every read table in one state of the live rows: the one that a verification tells. */
export async function digestsOf(live: Pick<Snapshot, 'scan'>, digest: Digest): Promise<readonly TableDigest[]> {
  const digests: TableDigest[] = []
  for (const table of tables) {
    const sum = digest()
    let rows = 0
    for await (const row of rowsOf((after) => live.scan(table, after, PAGE))) {
      sum.update(lineOf(row))
      rows++
    }
    digests.push({ table: table.name, rows, sha256: sum.digest('hex') })
  }
  return digests
}

/** A row as digests take it in. */
export function lineOf(row: Row): string {
  return `${JSON.stringify(row)}\n`
}

/** All rows, a page at a time. */
export async function* rowsOf(page: (after: string) => Promise<readonly Row[]>): AsyncGenerator<Row, undefined> {
  for (let after = ''; ; ) {
    const rows = await page(after)
    yield* rows
    const last = rows.at(-1)
    if (!last) return
    after = last.id
  }
}
