import type { Dialect, Statement } from '../../src/storage/sql/dialect.js'
import { logReads } from '../../src/storage/sql/logReads.js'

/** The statement by which a question to the log of the prefix `hub_` is asked in a dialect. */
export async function askedFor(
  dialect: Dialect,
  ask: (log: ReturnType<typeof logReads>) => Promise<unknown>
): Promise<Statement> {
  const asked: Statement[] = []
  const query = async (statement: Statement) => {
    asked.push(statement)
    return []
  }
  await ask(logReads({ dialect, query }, 'hub_'))
  const [first] = asked
  if (!first) throw new Error('Nothing was asked.')
  return first
}
