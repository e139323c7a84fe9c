import pg from 'pg'
import { StorageUnavailable } from '../storage.js'
import { isAnswer, isConstraint, translate } from './errors.js'
import { type NamedStatement, sendTransaction } from './transaction.js'

/** Sends transactions over the one connection that writes, opened when first needed and again after it was lost. */
export interface PostgresWriter {
  /** All or nothing, in order; `refused` when the first statement, as a guard, broke a constraint. */
  transaction(statements: readonly NamedStatement[], isGuarded: boolean): Promise<'done' | 'refused'>
  /** Lets go of the connection and of everything that was to be sent on it: that is rejected, and never sent. */
  forget(): void
  close(): Promise<void>
}

interface Opened {
  readonly client: pg.Client
  readonly prepared: Set<string>
}

/** A writer on connections of this configuration. */
export function postgresWriter(config: pg.ClientConfig): PostgresWriter {
  let current: Promise<Opened> | null = null
  let last: Promise<unknown> = Promise.resolve()
  let era = 0

  const open = (): Promise<Opened> => {
    const client = new pg.Client(config)
    const opened = client.connect().then(() => ({ client, prepared: new Set<string>() }))
    // The connection that it says this of: by then another one may be the current.
    const forget = () => {
      if (current === opened) current = null
    }
    client.on('error', forget)
    client.on('end', forget)
    return opened
  }
  const discard = (opened: Promise<Opened>) => {
    if (current === opened) current = null
    opened.then(({ client }) => client.end()).catch(() => {})
  }

  const transaction: PostgresWriter['transaction'] = async (statements, isGuarded) => {
    current ??= open()
    const opened = current
    try {
      const { client, prepared } = await opened
      if (current !== opened) throw new StorageUnavailable('The connection to Postgres is gone.')
      const failure = await sendTransaction(client, prepared, statements)
      if (failure === null) return 'done'
      if (isGuarded && failure.failed === 0 && isConstraint(failure.reason)) return 'refused'
      throw failure.reason
    } catch (error) {
      if (!isAnswer(error)) discard(opened)
      throw translate(error)
    }
  }

  return {
    transaction(statements, isGuarded) {
      const mine = era
      const outcome = last.then(() => {
        if (mine !== era) throw new StorageUnavailable('The connection to Postgres is gone.')
        return transaction(statements, isGuarded)
      })
      last = outcome.catch(() => {})
      return outcome
    },
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
