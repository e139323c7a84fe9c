import { MessageChannel, type MessagePort, parentPort, Worker, workerData } from 'node:worker_threads'
import { z } from 'zod'
import type { Outcome, Statement } from '../sql/dialect.js'
import { StorageUnavailable } from '../storage.js'
import { COMMIT_PATIENCE_MS, codeOf, connect, type SqliteConnection } from './connection.js'

/** How far a checkpoint of the write-ahead log goes: as far as nobody is waited for, or until nothing is left in the file of the log. */
type Checkpoint = 'PASSIVE' | 'TRUNCATE'

/** One transaction, and where its outcome is told; or a checkpoint of the write-ahead log. */
interface Job {
  readonly statements: readonly Statement[] | Checkpoint
  readonly guard: Statement | undefined
  readonly reply: MessagePort
}

const task = z.object({ writesTo: z.string() })
const answer = z.union([
  z.object({ outcome: z.enum(['done', 'refused']) }),
  z.object({ failure: z.string(), code: z.string(), isOutage: z.boolean() })
])
type ThreadReply = z.infer<typeof answer>

/** A connection to a database file in a thread of its own: what takes long there holds up nobody here. */
export interface WriteThread {
  /**
   * All or nothing, as a connection's; one at a time. Waits for a busy file as long as a commit does, and throws what the first
   * failure threw; `StorageUnavailable` where the file cannot be opened, or where the thread ended before it told the outcome,
   * which is then not known.
   */
  transaction(statements: readonly Statement[], guard: Statement | undefined): Promise<Outcome>
  /**
   * Copies what the write-ahead log holds into the database's own file, as far as no reader needs what is there, or with `TRUNCATE`
   * all of it, and leaves nothing in the file of the log: where somebody reads on, the next one does.
   */
  checkpoint(how: Checkpoint): Promise<void>
  /** To be called when nothing is under way. */
  close(): Promise<void>
}

/** The thread begins with the first transaction, and again with the next one after it has died. */
export function writeThread(path: string): WriteThread {
  let running: Worker | undefined
  const start = (): Worker => {
    const worker = new Worker(new URL(import.meta.url), { workerData: { writesTo: path } })
    const forget = () => {
      if (running === worker) running = undefined
    }
    // Whoever waits for an outcome learns of its end from the port that was to tell it.
    worker.on('error', forget)
    worker.on('exit', forget)
    worker.unref()
    return worker
  }
  const carryOut = (job: Omit<Job, 'reply'>): Promise<Outcome> => {
    running ??= start()
    const { port1: replies, port2: reply } = new MessageChannel()
    running.postMessage({ ...job, reply }, [reply])
    return new Promise((resolve, reject) => {
      replies.once('message', (received: unknown) => {
        const told = answer.parse(received)
        if ('outcome' in told) resolve(told.outcome)
        else if (told.isOutage) reject(new StorageUnavailable(told.failure))
        else reject(Object.assign(new Error(told.failure), { code: told.code }))
      })
      replies.once('close', () => reject(new StorageUnavailable('The thread that writes to the database has ended.')))
    })
  }
  return {
    transaction: (statements, guard) => carryOut({ statements, guard }),
    async checkpoint(how) {
      await carryOut({ statements: how, guard: undefined })
    },
    async close() {
      const worker = running
      if (!worker) return
      const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
      worker.ref()
      worker.postMessage('close')
      await ended
    }
  }
}

const given = task.safeParse(workerData)
const port = parentPort
if (port && given.success) {
  const { writesTo } = given.data
  let connection: SqliteConnection | undefined
  const carryOut = async ({ statements, guard }: Job): Promise<ThreadReply> => {
    try {
      const open = connection ?? (await connect(writesTo, COMMIT_PATIENCE_MS))
      connection = open
      if (typeof statements !== 'string') return { outcome: open.transaction(statements, guard) }
      const [row] = open.query({ text: `PRAGMA wal_checkpoint(${statements})`, values: [] })
      return { outcome: row?.busy === 0 ? 'done' : 'refused' }
    } catch (error) {
      return {
        failure: error instanceof Error ? error.message : String(error),
        code: codeOf(error),
        isOutage: error instanceof StorageUnavailable
      }
    }
  }
  port.on('message', async (received: Job | 'close') => {
    if (received !== 'close') {
      received.reply.postMessage(await carryOut(received))
      received.reply.close()
      return
    }
    connection?.close()
    port.close()
  })
}
