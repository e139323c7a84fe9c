import pg from 'pg'
import { isAnswer, isConstraint, translate } from './errors.js'

/** Sends transactions over the one connection that writes, opened when first needed and again after it was lost. */
export interface PostgresWriter {
  /** All or nothing, in order; `refused` when the first statement, as a guard, broke a constraint. */
  transaction(statements: readonly pg.QueryConfig[], isGuarded: boolean): Promise<'done' | 'refused'>
  close(): Promise<void>
}

/** A writer on connections of this configuration. */
export function postgresWriter(config: pg.ClientConfig): PostgresWriter {
  let current: Promise<pg.Client> | null = null

  const open = (): Promise<pg.Client> => {
    const client = new pg.Client({ ...config, pipeline: true })
    const opened = client.connect().then(() => client)
    // The connection that it says this of: by then another one may be the current.
    const forget = () => {
      if (current === opened) current = null
    }
    client.on('error', forget)
    client.on('end', forget)
    return opened
  }
  const discard = (opened: Promise<pg.Client>) => {
    if (current === opened) current = null
    opened.then((client) => client.end()).catch(() => {})
  }

  return {
    async transaction(statements, isGuarded) {
      current ??= open()
      const opened = current
      try {
        return await pipelined(await opened, statements, isGuarded)
      } catch (error) {
        if (!isAnswer(error)) discard(opened)
        throw translate(error)
      }
    },
    async close() {
      const last = current
      current = null
      await last?.then((client) => client.end()).catch(() => {})
    }
  }
}

/** Sends a whole transaction in one go and waits once. The first failure decides; the database rolls back the rest. */
async function pipelined(client: pg.Client, statements: readonly pg.QueryConfig[], isGuarded: boolean) {
  const answers = await Promise.allSettled(sent(client, statements))
  const failed = answers.findIndex(({ status }) => status === 'rejected')
  const failure = answers[failed]
  if (failure?.status !== 'rejected') return 'done'
  if (isGuarded && failed === 1 && isConstraint(failure.reason)) return 'refused'
  throw failure.reason
}

/** Hundreds of statements are one write to the network, and not one each. */
function sent(client: pg.Client, statements: readonly pg.QueryConfig[]): readonly Promise<unknown>[] {
  const { stream } = client.connection
  stream.cork()
  try {
    return [client.query('BEGIN'), ...statements.map((statement) => client.query(statement)), client.query('COMMIT')]
  } finally {
    stream.uncork()
  }
}
