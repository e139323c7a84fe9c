import { ChangeTooLarge, StorageUnavailable } from '../storage.js'

/**
 * The server's answer that it did not do what a statement says. Not the client's own error, which carries the whole text of
 * the statement: that holds what users wrote, and errors end in logs.
 */
export class Refusal extends Error {
  override readonly name = 'MysqlRefusal'
  constructor(
    message: string,
    /** Numbers are the same on every server; the client's names for them are not. */
    readonly errno: number,
    readonly state: string,
    /** How many statements of the same packet were done before. */
    readonly done: number
  ) {
    super(message)
  }
}

const DEADLOCK = 1213

/**
 * SQLSTATEs that say the server cannot serve now: connection, a transaction on a server that only reads, authorization,
 * rollback for concurrency, interruption.
 */
const UNAVAILABLE_STATES = /^(08|25006|28|40|70)/

/** The same of errors whose SQLSTATE says nothing. */
const UNAVAILABLE = new Set([
  // Resources: disk, memory, tables, lock tables, connections and quotas of a user, transactions.
  1021, 1037, 1038, 1041, 1114, 1203, 1206, 1226, 1637,
  // No access to the database, or no such one.
  1044, 1049,
  // A commit that failed; a lock that was not free in time, or a statement that was not done in time.
  1180, 1205, 3024,
  // A server that only reads or shuts down, a cluster that refuses, a session that the server has ended.
  1290, 1836, 3100, 3101, 3168, 3169, 4031
])

/** What the client throws, as the server's answer where it is one. */
export function received(error: unknown, done: number): unknown {
  if (!(error instanceof Error) || !('errno' in error) || !('sqlState' in error)) return error
  return new Refusal(error.message, Number(error.errno), String(error.sqlState), done)
}

/** True for an answer of the server about the statement itself: the connection is as good as before. */
export function isAnswer(error: unknown): error is Refusal {
  return error instanceof Refusal && !UNAVAILABLE_STATES.test(error.state) && !UNAVAILABLE.has(error.errno)
}

/** True when a statement broke a constraint. */
export function isConstraint(error: unknown): error is Refusal {
  return isAnswer(error) && error.state.startsWith('23')
}

/** True when the server has chosen a transaction to roll back, so that another one can go on. */
export function isDeadlock(error: unknown): boolean {
  return error instanceof Refusal && error.errno === DEADLOCK
}

/** The answer of the server as it is, and everything else as `StorageUnavailable`. */
export function translate(error: unknown): unknown {
  if (error instanceof StorageUnavailable || error instanceof ChangeTooLarge || isAnswer(error)) return error
  if (error instanceof Refusal) return new StorageUnavailable(`MySQL refused (${error.errno}).`, { cause: error })
  // Whatever is not the server's own answer is the connection's: refused, reset, timed out, ended.
  return new StorageUnavailable('MySQL did not answer.', { cause: error })
}

/** The same promise, failing with translated errors. */
export function translated<T>(promise: Promise<T>): Promise<T> {
  return promise.catch((error: unknown) => {
    throw translate(error)
  })
}
