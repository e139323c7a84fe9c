import type { SqlDriver, Statement } from '../sql/dialect.js'
import { ChangeTooLarge, StorageUnavailable } from '../storage.js'
import { escaped, type MysqlConnection, textOf } from './connection.js'
import { isConstraint, isDeadlock, translate } from './dialect.js'

/** Sends transactions over the one connection that writes, opened when first needed and again after it was lost. */
export interface MysqlWriter {
  readonly transaction: SqlDriver['transaction']
  /** Ends the connection at once, with everything that was to be sent on it: that is rejected, and never sent. */
  forget(): void
  close(): Promise<void>
}

const TOO_LARGE = 'This is more than the database can take in one change: its max_allowed_packet is too small for it.'
/** So many rows go in one insert at most. */
const ROWS_MAX = 200
const DEADLOCKS_MAX = 5
const UTF8_BYTES_MAX = 3
/** What a packet holds beside texts and values, and beside each value. */
const OVERHEAD_BYTES = 64
const VALUE_OVERHEAD_BYTES = 12

/** A writer on connections that `open` opens. */
export function mysqlWriter(open: () => Promise<MysqlConnection>): MysqlWriter {
  let current: MysqlConnection | null = null
  let turn: Promise<unknown> = Promise.resolve()
  let era = 0

  const opened = async (mine: number): Promise<MysqlConnection> => {
    if (mine === era && current?.isOpen) return current
    if (mine === era) {
      const connection = await open()
      if (mine === era) {
        current = connection
        return connection
      }
      connection.destroy()
    }
    throw new StorageUnavailable('The connection to MySQL is gone.')
  }
  const attempt = async (mine: number, statements: readonly Statement[], guard?: Statement) => {
    const connection = await opened(mine)
    try {
      await transact(connection, statements, guard)
      return 'done' as const
    } catch (error) {
      // The session is still in the transaction, and the next one to begin would commit it.
      if (connection.isOpen) await connection.run('ROLLBACK').catch(() => connection.destroy())
      if (guard && isConstraint(error) && error.done === 1) return 'refused' as const
      throw error
    }
  }
  const persistently = async (mine: number, statements: readonly Statement[], guard?: Statement) => {
    for (let deadlocks = 0; ; deadlocks++) {
      try {
        return await attempt(mine, statements, guard)
      } catch (error) {
        if (!isDeadlock(error) || deadlocks >= DEADLOCKS_MAX) throw translate(error)
      }
    }
  }

  return {
    // One after another: what one leaves behind is rolled back before another begins.
    transaction(statements, guard) {
      const begun = era
      const mine = turn.then(() => persistently(begun, statements, guard))
      turn = mine.catch(() => {})
      return mine
    },
    forget() {
      era++
      turn = Promise.resolve()
      current?.destroy()
    },
    async close() {
      const closing = current
      era++
      await closing?.close()
    }
  }
}

/** Runs a transaction: in one packet, or statement by statement where one packet does not hold it. */
async function transact(
  connection: MysqlConnection,
  statements: readonly Statement[],
  guard?: Statement
): Promise<void> {
  const { bytesMax } = connection
  const start = ['START TRANSACTION', ...(guard ? [textOf(guard)] : [])]
  const text = [...start, ...textsOf(statements), 'COMMIT'].join('; ')
  if (fits(text, bytesMax)) return connection.run(text)
  if (statements.some((statement) => bytesOf(statement) > bytesMax)) throw new ChangeTooLarge(TOO_LARGE)
  await connection.run(start.join('; '))
  // Prepared, for what escaping makes longer may not fit.
  for (const statement of statements) await connection.query(statement)
  await connection.run('COMMIT')
}

/** Texts of the statements, in order. Inserts of one row each that follow one another into one table become one insert. */
function textsOf(statements: readonly Statement[]): readonly string[] {
  const texts: string[] = []
  let rows: string[] = []
  for (const [i, statement] of statements.entries()) {
    const { insert, text, values } = statement
    if (!insert) {
      texts.push(textOf(statement))
      continue
    }
    rows.push(`(${values.map(escaped).join(', ')})`)
    // The server takes row by row, so that a row which comes twice ends as its last.
    if (rows.length === ROWS_MAX || statements[i + 1]?.text !== text) {
      texts.push(`${insert.before}${rows.join(', ')}${insert.behind}`)
      rows = []
    }
  }
  return texts
}

function fits(text: string, bytesMax: number): boolean {
  const free = bytesMax - OVERHEAD_BYTES
  return text.length * UTF8_BYTES_MAX <= free || Buffer.byteLength(text) <= free
}

/** How long the statement is when it is prepared; its text and its values go in packets of their own, counted together. */
function bytesOf({ text, values }: Statement): number {
  const lengths = values.flat().map((value) => VALUE_OVERHEAD_BYTES + Buffer.byteLength(String(value)))
  return lengths.reduce((sum, length) => sum + length, OVERHEAD_BYTES + text.length)
}
