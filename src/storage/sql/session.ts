import { StorageUnavailable } from '../storage.js'
import type { Watchdog } from '../watchdog.js'
import type { Outcome, RawRow, SqlDriver, Statement } from './dialect.js'

/** One session of a database server. A question that is not answered in time ends it, and with it what was begun. */
export interface Session {
  readonly isOpen: boolean
  query(statement: Statement): Promise<readonly RawRow[]>
  /** Begins to read one consistent state. */
  snapshot(): Promise<void>
  /** Begins a transaction with a question that locks. */
  begin(lock: string): Promise<readonly RawRow[]>
  /** Ends it with these, a guard first. Where it is refused or fails it has to be rolled back. */
  end(statements: readonly Statement[], guard: Statement): Promise<Outcome>
  /** A transaction from its beginning to its end. Where it is refused or fails it has to be rolled back. */
  transaction(statements: readonly Statement[], guard?: Statement): Promise<Outcome>
  rollBack(): Promise<void>
  /** Says goodbye behind everything that was asked. */
  close(): Promise<void>
  /** Ends it at once. */
  destroy(): void
}

/** Makes promises fail with what `translate` makes of their errors. */
export function translating(translate: (error: unknown) => unknown) {
  return <T>(promise: Promise<T>): Promise<T> =>
    promise.catch((error: unknown) => {
      throw translate(error)
    })
}

/** Sends transactions over the one session that writes, opened when first needed and again after it was lost. */
export interface SqlWriter {
  readonly transaction: SqlDriver['transaction']
  /** As of a driver; whatever the server is asked is asked `during` its watchdog. */
  locked(...asked: [...Parameters<SqlDriver['locked']>, Watchdog['during']]): Promise<Outcome>
  /** Ends the session at once, with everything that was to be sent on it: that is rejected, and never sent. */
  forget(): void
  /** The same where nothing is to be sent on it. */
  forgetIdle(): void
  close(): Promise<void>
}

/** A writer on sessions that `open` opens; `translate` says what their errors mean. */
export function sqlWriter(open: () => Promise<Session>, translate: (error: unknown) => unknown): SqlWriter {
  let current: Session | null = null
  let last: Promise<unknown> = Promise.resolve()
  let era = 0
  let inLine = 0

  const opened = async (mine: number): Promise<Session> => {
    if (mine === era && !current?.isOpen) {
      const session = await open()
      if (mine === era) current = session
      else session.destroy()
    }
    if (mine !== era || !current) throw new StorageUnavailable('The connection to the database is gone.')
    return current
  }
  const translated = translating(translate)
  const locked = async (mine: number, ...[lock, work, during]: Parameters<SqlWriter['locked']>) => {
    const begin = async () => {
      const session = await opened(mine)
      return { session, rows: await whole(session, () => session.begin(lock)) }
    }
    const { session, rows } = await translated(during(begin))
    const rollBack = () => during(() => rolledBack(session))
    // What goes wrong in the work says nothing about the server.
    const ending = await work(rows).catch(async (error: unknown) => {
      await rollBack()
      throw error
    })
    if (ending) return translated(during(() => whole(session, () => session.end(ending.statements, ending.guard))))
    await rollBack()
    return 'done'
  }
  /** One after another, in the order in which they come. */
  const inTurn = <T>(work: (mine: number) => Promise<T>): Promise<T> => {
    const begun = era
    inLine++
    const outcome = last.then(() => work(begun)).finally(() => inLine--)
    last = outcome.catch(() => {})
    return outcome
  }
  const forget = () => {
    era++
    last = Promise.resolve()
    current?.destroy()
  }

  return {
    transaction: (statements, guard) =>
      inTurn(async (mine) => {
        const send = async () => {
          const session = await opened(mine)
          return whole(session, () => session.transaction(statements, guard))
        }
        return translated(send())
      }),
    locked: (...asked) => inTurn((mine) => locked(mine, ...asked)),
    forget,
    forgetIdle() {
      if (inLine === 0) forget()
    },
    async close() {
      await last
      era++
      await current?.close()
    }
  }
}

/** What `run` comes to. Of what failed or was refused nothing is left: the next transaction to begin would commit it. */
async function whole<T>(session: Session, run: () => Promise<T>): Promise<T> {
  try {
    const outcome = await run()
    if (outcome === 'refused') await rolledBack(session)
    return outcome
  } catch (error) {
    await rolledBack(session)
    throw error
  }
}

async function rolledBack(session: Session): Promise<void> {
  if (session.isOpen) await session.rollBack().catch(() => session.destroy())
}
