import type { Pulse } from '../pulse.js'
import type { SqlDriver, Statement } from '../sql/dialect.js'
import { ChangeTooLarge, StorageUnavailable } from '../storage.js'
import { escaped, type MysqlConnection, textOf } from './connection.js'
import { isConstraint, isDeadlock, translate, translated } from './dialect.js'

/** Sends transactions over the one connection that writes, opened when first needed and again after it was lost. */
export interface MysqlWriter {
  readonly transaction: SqlDriver['transaction']
  /** As of a driver; whatever the server is asked is asked `during` its pulse. */
  locked(...asked: [...Parameters<SqlDriver['locked']>, Pulse['during']]): ReturnType<SqlDriver['locked']>
  /** Ends the connection at once, with everything that was to be sent on it: that is rejected, and never sent. */
  forget(): void
  close(): Promise<void>
}

const TOO_LARGE = 'This is more than the database can take in one change: its max_allowed_packet is too small for it.'
const GONE = 'The connection to MySQL is gone.'
const BEGIN = 'START TRANSACTION'
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
    throw new StorageUnavailable(GONE)
  }
  // The session would still be in the transaction, and the next one to begin would commit it.
  const rollBack = async (connection: MysqlConnection) => {
    if (connection.isOpen) await connection.run('ROLLBACK').catch(() => connection.destroy())
  }
  const attempt = async (mine: number, statements: readonly Statement[], guard?: Statement) => {
    const connection = await opened(mine)
    try {
      await connection.run(BEGIN)
      if (guard && !(await passes(connection, guard))) {
        await rollBack(connection)
        return 'refused'
      }
      await end(connection, statements)
      return 'done'
    } catch (error) {
      await rollBack(connection)
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
  const locked = async (mine: number, ...[lock, work, during]: Parameters<MysqlWriter['locked']>) => {
    const begin = async () => {
      const connection = await opened(mine)
      await connection.run(BEGIN)
      return { connection, rows: await connection.query({ text: lock, values: [] }) }
    }
    const { connection, rows } = await translated(during(begin))
    const ending = await work(rows).catch(async (error: unknown) => {
      await rollBack(connection)
      throw error
    })
    if (!ending) {
      await rollBack(connection)
      return 'done'
    }
    try {
      return await during(async () => {
        if (!(await passes(connection, ending.guard))) {
          await rollBack(connection)
          return 'refused'
        }
        await end(connection, ending.statements)
        return 'done'
      })
    } catch (error) {
      await rollBack(connection)
      // The server has taken the lock away with everything else: what was decided under it is decided again.
      if (isDeadlock(error)) return 'refused'
      throw translate(error)
    }
  }
  /** One after another: what one leaves behind is rolled back before another begins. */
  const inTurn = <T>(work: (mine: number) => Promise<T>): Promise<T> => {
    const begun = era
    const mine = turn.then(() => work(begun))
    turn = mine.catch(() => {})
    return mine
  }

  return {
    transaction: (statements, guard) => inTurn((mine) => persistently(mine, statements, guard)),
    locked: (...asked) => inTurn((mine) => locked(mine, ...asked)),
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

/** False where the statement breaks a constraint. */
async function passes(connection: MysqlConnection, guard: Statement): Promise<boolean> {
  try {
    await connection.run(textOf(guard))
    return true
  } catch (error) {
    if (isConstraint(error)) return false
    throw error
  }
}

/**
 * Sends what a transaction consists of, and then its end. One statement at a time: of several in one packet the server would carry out
 * the rest by itself where it has given up the transaction in between.
 */
async function end(connection: MysqlConnection, statements: readonly Statement[]): Promise<void> {
  const { bytesMax } = connection
  const texts = textsOf(statements)
  if (texts.every((text) => fits(text, bytesMax))) for (const text of texts) await connection.run(text)
  else {
    if (statements.some((statement) => bytesOf(statement) > bytesMax)) throw new ChangeTooLarge(TOO_LARGE)
    // Prepared, for what escaping makes longer may not fit.
    for (const statement of statements) await connection.query(statement)
  }
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
