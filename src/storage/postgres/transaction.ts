import type pg from 'pg'
import type { Parameter, Statement } from '../sql/dialect.js'

/** A statement under the name that the server knows it by once it has parsed it. */
export interface NamedStatement extends Statement {
  readonly name: string
}

/** Why a transaction did not happen: what its statement number `failed`, from 0, met with, or the connection. */
export interface Failure {
  readonly failed: number
  readonly reason: unknown
}

/**
 * Sends statements that the server carries out all or not at all, and resolves when it has, with the failure if there was
 * one. They go out in one piece without BEGIN and COMMIT: what stands before one Sync is one transaction, is answered in one
 * piece, and costs a fraction of as many questions with an answer each. `prepared` are the names that the server knows on
 * this connection. Nothing else may be on its way on it.
 */
export function sendTransaction(
  client: pg.Client,
  prepared: Set<string>,
  statements: readonly NamedStatement[]
): Promise<Failure | null> {
  const messages = statements.map(({ name, text, values }) => ({ name, text, values: values.map(onTheWire) }))
  const fresh = new Set<string>()
  return new Promise((resolve) => {
    let done = 0
    // What the client asks of whatever it sends; it puts its time limit around `callback`.
    const query = {
      callback(reason: unknown) {
        if (reason) return resolve({ failed: done, reason })
        for (const name of fresh) prepared.add(name)
        resolve(null)
      },
      submit(connection: pg.Connection) {
        // Hundreds of messages are one write to the network, and not one each.
        connection.stream.cork()
        for (const { name, text, values } of messages) {
          if (!prepared.has(name) && !fresh.has(name)) {
            // A transaction that failed may have left it there or not.
            connection.close({ type: 'S', name }, true)
            connection.parse({ name, text, types: [] }, true)
            fresh.add(name)
          }
          connection.bind({ statement: name, values }, true)
          connection.execute(null, true)
        }
        connection.sync()
        connection.stream.uncork()
      },
      handleDataRow() {},
      handleCommandComplete() {
        done++
      },
      handleError(reason: unknown) {
        query.callback(reason)
      },
      handleReadyForQuery() {
        query.callback(null)
      }
    }
    client.query(query)
  })
}

function onTheWire(value: Parameter): string | Buffer | null {
  if (typeof value === 'number') return String(value)
  if (value === null || typeof value === 'string' || Buffer.isBuffer(value)) return value
  throw new TypeError('No statement that writes takes a list.')
}
