import pg from 'pg'
import { StorageUnavailable } from '../storage.js'

/**
 * SQLSTATEs that say the server cannot serve now: connection, rollback for concurrency, resources, operator intervention,
 * system; a login refused, no such database, and a server that only reads because another has taken over.
 */
const UNAVAILABLE = /^(08|28|40|53|57|58|3D000|25006)/

/** True for an answer of the server about the statement itself: the connection is as good as before. */
export function isAnswer(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && !UNAVAILABLE.test(error.code ?? '')
}

/** True when a statement broke a constraint. */
export function isConstraint(error: unknown): boolean {
  return isAnswer(error) && (error.code ?? '').startsWith('23')
}

/** The answer of the server as it is, and everything else as `StorageUnavailable`. */
export function translate(error: unknown): unknown {
  if (error instanceof StorageUnavailable || isAnswer(error)) return error
  if (error instanceof pg.DatabaseError) {
    return new StorageUnavailable(`Postgres refused (${error.code}).`, { cause: error })
  }
  // Whatever is not the server's own answer is the connection's: refused, reset, timed out, ended.
  return new StorageUnavailable('Postgres did not answer.', { cause: error })
}

/** The same promise, failing with translated errors. */
export function translated<T>(promise: Promise<T>): Promise<T> {
  return promise.catch((error: unknown) => {
    throw translate(error)
  })
}
