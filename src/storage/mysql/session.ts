import type { Statement } from '../sql/dialect.js'
import type { Session } from '../sql/session.js'
import { ChangeTooLarge } from '../storage.js'
import { escaped, type MysqlConnection, textOf } from './connection.js'
import { isConstraint, isDeadlock } from './dialect.js'

const TOO_LARGE = 'This is more than the database can take in one change: its max_allowed_packet is too small for it.'
/** So many rows go in one insert at most. */
const ROWS_MAX = 200
/** What has more characters is not escaped. */
const ESCAPED_MAX = 64 * 1024
const DEADLOCKS_MAX = 5
const UTF8_BYTES_MAX = 3
/** What a packet holds beside texts and values, and beside each value. */
const OVERHEAD_BYTES = 64
const VALUE_OVERHEAD_BYTES = 12

/** A session over a connection. */
export function mysqlSession(connection: MysqlConnection): Session {
  const { query, run, close, destroy } = connection
  const begin = () => run('START TRANSACTION')
  const rollBack = () => run('ROLLBACK')
  const send = async (statements: readonly Statement[], guard: Statement | undefined) => {
    if (guard && !(await passes(connection, guard))) return 'refused'
    await end(connection, statements)
    return 'done'
  }
  return {
    get isOpen() {
      return connection.isOpen
    },
    query,
    async snapshot() {
      await run('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ')
      await run('START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY')
    },
    async begin(lock) {
      await begin()
      return query({ text: lock, values: [] })
    },
    async end(statements, guard) {
      try {
        return await send(statements, guard)
      } catch (error) {
        // The server has taken the lock away with everything else: what was decided under it is decided again.
        if (isDeadlock(error)) return 'refused'
        throw error
      }
    },
    async transaction(statements, guard) {
      for (let deadlocks = 0; ; deadlocks++) {
        try {
          await begin()
          return await send(statements, guard)
        } catch (error) {
          if (!isDeadlock(error) || deadlocks >= DEADLOCKS_MAX) throw error
          await rollBack()
        }
      }
    },
    rollBack,
    close,
    destroy
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
  const gathered = gatheredOf(statements)
  // Prepared, for what escaping makes longer may not fit.
  const sent = gathered.every((one) => typeof one !== 'string' || fits(one, bytesMax)) ? gathered : statements
  if (sent.some((one) => typeof one !== 'string' && bytesOf(one) > bytesMax)) throw new ChangeTooLarge(TOO_LARGE)
  for (const one of sent) await (typeof one === 'string' ? connection.run(one) : connection.query(one))
  await connection.run('COMMIT')
}

/**
 * Statements as they are best sent, in order: as texts, but for long ones, which go prepared. Inserts of one row each that follow one
 * another into one table become one insert.
 */
function gatheredOf(statements: readonly Statement[]): readonly (string | Statement)[] {
  const sent: (string | Statement)[] = []
  let rows: string[] = []
  for (const [i, statement] of statements.entries()) {
    const { insert, text, values } = statement
    if (isLong(statement)) sent.push(statement)
    else if (!insert) sent.push(textOf(statement))
    else {
      rows.push(`(${values.map(escaped).join(', ')})`)
      const next = statements[i + 1]
      // The server takes row by row, so that a row which comes twice ends as its last.
      if (rows.length === ROWS_MAX || next?.text !== text || isLong(next)) {
        sent.push(`${insert.before}${rows.join(', ')}${insert.behind}`)
        rows = []
      }
    }
  }
  return sent
}

/** True where a value is so long that to escape it takes long: meanwhile nobody else has a turn, and the server waits. */
function isLong({ values }: Statement): boolean {
  return values.some((value) => typeof value === 'string' && value.length > ESCAPED_MAX)
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
