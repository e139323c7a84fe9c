import { setTimeout } from 'node:timers/promises'
import { type PoolState, StorageUnavailable } from '../storage.js'
import { watchdog } from '../watchdog.js'
import type { SqlDriver } from './dialect.js'
import { sharedReaders } from './readers.js'
import { type Session, sqlWriter, translating } from './session.js'

const CLOSE_TIMEOUT_MS = 2000
/** How much longer than reads writes have: a commit may delete everything in a large collection. */
const WRITE_TIMES = 3

/** What is different about a database server. */
export interface ServerOptions {
  readonly backend: PoolState['backend']
  /** How many readers there are at most, and how long a session may take to open. */
  readonly most: number
  readonly connect_ms: number
  /** How long what a reader asks may take. */
  readonly limit_ms: number
  /** Opens a session for reading or for writing, where an answer may take so long at most. */
  open(what: 'reads' | 'writes', limit_ms: number): Promise<Session>
  /** Resolves when the server answers anything, a refusal too; ends what it has begun when `over` is aborted. */
  signOfLife(over: AbortSignal): Promise<void>
  /** What an error means: the server's answer, or `StorageUnavailable`. */
  translate(error: unknown): unknown
  /** True for the error of a write that only another server takes now, to which new sessions lead. */
  isMoved?(error: unknown): boolean
  /** Ends every connection at once, those that are being opened too. */
  endAll?(): void
}

/** The sessions of a server: those that are shared, the one that writes, and those of its own that somebody works on. */
export interface SqlServer extends Pick<SqlDriver, 'query' | 'transaction' | 'locked' | 'session' | 'close'> {
  readonly pool: () => PoolState
  /** Ends every connection; the next question opens new ones. */
  readonly renew: () => void
}

/** Sessions that are opened when they are needed. A server that hangs is told within three seconds. */
export function sqlServer(options: ServerOptions): SqlServer {
  const { backend, most, connect_ms, limit_ms, translate } = options
  let isClosed = false
  const open: ServerOptions['open'] = async (...asked) => {
    if (isClosed) throw new StorageUnavailable('The connections to the database are closed.')
    return options.open(...asked)
  }
  const openReader = () => open('reads', limit_ms)
  const writer = sqlWriter(() => open('writes', WRITE_TIMES * limit_ms), translate)
  const readersOf = () => sharedReaders(openReader, { most, connect_ms, ended: writer.forgetIdle })
  let readers = readersOf()
  const renew = () => {
    writer.forget()
    readers.destroy()
    options.endAll?.()
    readers = readersOf()
  }
  const { during, stop } = watchdog(options.signOfLife, renew)
  const translated = translating(translate)
  const orRenewed = <T>(written: Promise<T>): Promise<T> =>
    written.catch((error: unknown) => {
      if (options.isMoved?.(error)) renew()
      throw error
    })
  return {
    query: (statement) => translated(during(() => readers.use((session) => session.query(statement)))),
    // Nobody waits for what has no guard, such as the building of read tables: it keeps its own, longer limit.
    transaction: (statements, guard) =>
      orRenewed(guard ? during(() => writer.transaction(statements, guard)) : writer.transaction(statements)),
    locked: (lock, work) => orRenewed(writer.locked(lock, work, during)),
    async session(consistent, work) {
      const session = await translated(during(openReader, (late) => late.destroy()))
      try {
        if (consistent) await translated(during(() => session.snapshot()))
        const done = await work((statement) => translated(during(() => session.query(statement))))
        await during(() => session.close()).catch(() => {})
        return done
      } finally {
        session.destroy()
      }
    },
    renew,
    pool: () => ({ backend, ...readers.counts(), max: most }),
    async close() {
      stop()
      // A server that does not answer does not say goodbye either.
      const closed = Promise.all([readers.close(), writer.close()]).catch(() => {})
      await Promise.race([closed, setTimeout(CLOSE_TIMEOUT_MS, null, { ref: false })])
      isClosed = true
      writer.forget()
      readers.destroy()
      options.endAll?.()
    }
  }
}
