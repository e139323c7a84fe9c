import type pg from 'pg'
import type { Pulse } from '../pulse.js'
import type { Parameter, RawRow, Statement } from '../sql/dialect.js'
import { StorageUnavailable } from '../storage.js'
import { isAnswer, isConstraint, translate } from './dialect.js'

/** Sends transactions over the one connection that writes, opened when first needed and again after it was lost. */
export interface PostgresWriter {
  /** All or nothing, in order; `refused` when the first statement, as a guard, broke a constraint. */
  transaction(statements: readonly NamedStatement[], isGuarded: boolean): Promise<'done' | 'refused'>
  /**
   * A transaction that begins with a question which locks; `work` gets its rows and says what it ends with, a guard first. With null, or
   * where it throws, nothing changes. Whatever the server is asked is asked `during` its pulse.
   */
  locked(
    lock: string,
    work: (rows: readonly RawRow[]) => Promise<readonly NamedStatement[] | null>,
    during: Pulse['during']
  ): Promise<'done' | 'refused'>
  /** Lets go of the connection and of everything that was to be sent on it: that is rejected, and never sent. */
  forget(): void
  close(): Promise<void>
}

interface Opened {
  readonly client: pg.Client
  readonly prepared: Set<string>
}

const GONE = 'The connection to Postgres is gone.'
const COMMIT: NamedStatement = { name: 'commit', statement: { text: 'COMMIT', values: [] } }

/** A writer on connections that `connect` opens. */
export function postgresWriter(connect: () => Promise<pg.Client>): PostgresWriter {
  let current: Promise<Opened> | null = null
  let last: Promise<unknown> = Promise.resolve()
  let era = 0

  const open = (): Promise<Opened> => {
    const opened = connect().then((client) => {
      client.on('error', forget)
      client.on('end', forget)
      return { client, prepared: new Set<string>() }
    })
    // The connection that it says this of: by then another one may be the current.
    const forget = () => {
      if (current === opened) current = null
    }
    return opened
  }
  const discard = (opened: Promise<Opened>) => {
    if (current === opened) current = null
    opened.then(({ client }) => client.end()).catch(() => {})
  }

  /** Runs `work` on the connection, which is not used again where the server's answer is not the reason of a failure. */
  const using = async <T>(work: (connection: Opened) => Promise<T>): Promise<T> => {
    current ??= open()
    const opened = current
    try {
      const connection = await opened
      if (current !== opened) throw new StorageUnavailable(GONE)
      return await work(connection)
    } catch (error) {
      if (!isAnswer(error)) discard(opened)
      throw translate(error)
    }
  }
  const send = async ({ client, prepared }: Opened, statements: readonly NamedStatement[], isGuarded: boolean) => {
    const failure = await sendTransaction(client, prepared, statements)
    if (failure === null) return 'done'
    if (isGuarded && failure.failed === 0 && isConstraint(failure.reason)) return 'refused'
    throw failure.reason
  }
  const locked = async (...[lock, work, during]: Parameters<PostgresWriter['locked']>) => {
    // What goes wrong in the work, or with a statement alone, says nothing about the connection.
    const mistakes: unknown[] = []
    const outcome = await using(async (connection) => {
      const { client } = connection
      const ask = (text: string) => during(() => client.query<RawRow>(text))
      // Several statements, and so several results, of which the types know one.
      const results: unknown = await ask(`BEGIN ISOLATION LEVEL READ COMMITTED; ${lock}`)
      const rows = Array.isArray(results) ? (results.at(-1)?.rows ?? []) : []
      const ending = await work(rows).catch((error: unknown) => {
        mistakes.push(error)
        return null
      })
      if (!ending) {
        await ask('ROLLBACK')
        return 'done'
      }
      const all = [...ending, COMMIT]
      const ended = await during(() => send(connection, all, true)).catch((reason: unknown) => {
        if (!isAnswer(reason)) throw reason
        mistakes.push(reason)
        return 'refused' as const
      })
      if (ended === 'refused') await ask('ROLLBACK')
      return ended
    })
    if (mistakes.length > 0) throw mistakes[0]
    return outcome
  }
  /** One after another, in the order in which they come; what waits when the connection is let go of is never sent. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = era
    const outcome = last.then(() => {
      if (mine !== era) throw new StorageUnavailable(GONE)
      return work()
    })
    last = outcome.catch(() => {})
    return outcome
  }

  return {
    transaction: (statements, isGuarded) =>
      inTurn(() => using((connection) => send(connection, statements, isGuarded))),
    locked: (...asked) => inTurn(() => locked(...asked)),
    forget() {
      era++
      last = Promise.resolve()
      if (current) discard(current)
    },
    async close() {
      await last
      const closing = current
      current = null
      await closing?.then(({ client }) => client.end()).catch(() => {})
    }
  }
}

/** A statement under the name that the server knows it by once it has parsed it. */
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
            if (!prepared.has(name) && !fresh.has(name)) {
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
