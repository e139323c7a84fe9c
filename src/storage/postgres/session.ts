import type pg from 'pg'
import type { Outcome, Parameter, RawRow, Statement } from '../sql/dialect.js'
import type { Session } from '../sql/session.js'
import type { PostgresClient } from './connection.js'
import { isAnswer, isConstraint } from './dialect.js'

const COMMIT: Statement = { text: 'COMMIT', values: [] }
const SNAPSHOT = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'

/** A process that holds the head and does not go on for so long is taken for gone: others wait for it. */
const HOLDS_FOR = "SET LOCAL idle_in_transaction_session_timeout = '10s'"

/**
 * A session over a connected client; `nameOf` names each text, so that the server parses and plans it once. Behind a pooler no
 * statement has a name: the next one may go to another session of the server.
 */
export function postgresSession({ client, isPooled }: PostgresClient, nameOf: (text: string) => string): Session {
  const named = (text: string) => (isPooled ? '' : nameOf(text))
  const prepared = new Set<string>()
  let isOpen = true
  const end = () => {
    isOpen = false
  }
  client.on('end', end)
  const destroy = () => {
    end()
    client.connection.stream.destroy()
  }
  /** A session that did not answer is ended: the answer may still come. */
  const answered = async <T>(asked: Promise<T>): Promise<T> => {
    try {
      return await asked
    } catch (error) {
      if (!isAnswer(error)) destroy()
      throw error
    }
  }
  const send = async (statements: readonly Statement[], guard: Statement | undefined): Promise<Outcome> => {
    const all = guard ? [guard, ...statements] : statements
    const failure = await sendTransaction(
      client,
      prepared,
      all.map((statement) => ({ name: named(statement.text), statement }))
    )
    if (failure === null) return 'done'
    if (guard && failure.failed === 0 && isConstraint(failure.reason)) return 'refused'
    throw failure.reason
  }
  return {
    get isOpen() {
      return isOpen
    },
    async query({ text, values, isPlannedAnew }) {
      // Without a name it is planned for its values, and not kept.
      const name = isPlannedAnew ? '' : named(text)
      const question = { ...(name !== '' && { name }), text, values: [...values] }
      return (await answered(client.query<RawRow>(question))).rows
    },
    async snapshot() {
      await answered(client.query(SNAPSHOT))
    },
    async begin(lock) {
      // Several statements, and so several results, of which the types know one.
      const results: unknown = await answered(
        client.query(`BEGIN ISOLATION LEVEL READ COMMITTED; ${HOLDS_FOR}; ${lock}`)
      )
      return Array.isArray(results) ? (results.at(-1)?.rows ?? []) : []
    },
    end: (statements, guard) => answered(send([...statements, COMMIT], guard)),
    transaction: (statements, guard) => answered(send(statements, guard)),
    async rollBack() {
      await answered(client.query('ROLLBACK'))
    },
    async close() {
      end()
      await client.end()
    },
    destroy
  }
}

/** A statement under the name that the server knows it by once it has parsed it; empty for one that it forgets. */
export interface NamedStatement {
  readonly name: string
  readonly statement: Statement
}

/** Why a transaction did not happen: what its statement number `failed`, from 0, met with, or the connection. */
export interface Failure {
  readonly failed: number
  readonly reason: unknown
}

/** What is gathered before the server gets it. */
const PACKET_BYTES = 256 * 1024

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
        const { stream } = connection
        // Hundreds of messages are one write to the network, and not one each.
        stream.cork()
        try {
          for (const { name, statement } of statements) {
            // The server carries out what it has while the rest is made.
            if (stream.writableLength > PACKET_BYTES) {
              stream.uncork()
              stream.cork()
            }
            if (name === '') connection.parse({ name, text: statement.text, types: [] }, true)
            else if (!prepared.has(name) && !fresh.has(name)) {
              // A transaction that failed may have left it there or not.
              connection.close({ type: 'S', name }, true)
              connection.parse({ name, text: statement.text, types: [] }, true)
              fresh.add(name)
            }
            connection.bind({ statement: name, values: statement.values.map(onTheWire) }, true)
            connection.execute(null, true)
          }
          connection.sync()
        } finally {
          stream.uncork()
        }
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

function onTheWire(value: Parameter): string | null {
  if (typeof value === 'number') return String(value)
  if (value === null || typeof value === 'string') return value
  throw new TypeError('No statement that writes takes a list.')
}
