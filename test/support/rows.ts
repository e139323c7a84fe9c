import type { Row } from '../../src/storage/storage.js'

const AT_ONCE = 10_000

/** Every row of a table, however many pages they are. */
export async function everyRow(
  scan: (after: string, limit: number) => Promise<readonly Row[]>
): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (let after = ''; ; ) {
    const page = await scan(after, AT_ONCE)
    const last = page.at(-1)
    if (!last) return rows
    rows.push(...page)
    after = last.id
  }
}
