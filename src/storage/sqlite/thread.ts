import { setImmediate } from 'node:timers/promises'
import { MessageChannel, type MessagePort, parentPort, Worker, workerData } from 'node:worker_threads'
import { z } from 'zod'
import { slices } from '../../limits.js'
import { lengthOf, type Outcome, type Statement } from '../sql/dialect.js'
import { StorageUnavailable } from '../storage.js'
import { COMMIT_PATIENCE_MS, codeOf, connect, type SqliteConnection } from './connection.js'

/** How far a checkpoint of the write-ahead log goes: as far as nobody is waited for, or until nothing is left in the file of the log. */
type Checkpoint = 'PASSIVE' | 'TRUNCATE'

/** The end of a transaction, or a checkpoint of the write-ahead log. */
type Last = { readonly guard: Statement | undefined } | { readonly checkpoint: Checkpoint }
/** The same, or some statements of the transaction before its end. */
type Asked = { readonly statements: readonly Statement[] } | Last

/** So much is handed over in one turn of the event loop: what is handed to a thread is copied in one go. */
const PART = { statements: 250, characters: 512 * 1024 }

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
  /** What is asked of the thread, message by message, over a port of its own: it learns of an end in between. */
  const carryOut = async (asked: Iterable<Asked>): Promise<Outcome> => {
    running ??= start()
    const { port1: job, port2 } = new MessageChannel()
    running.postMessage(port2, [port2])
    const outcome = new Promise<Outcome>((resolve, reject) => {
      job.once('message', (received: unknown) => {
        const told = answer.parse(received)
        if ('outcome' in told) resolve(told.outcome)
        else if (told.isOutage) reject(new StorageUnavailable(told.failure))
        else reject(Object.assign(new Error(told.failure), { code: told.code }))
      })
      job.once('close', () => reject(new StorageUnavailable('The thread that writes to the database has ended.')))
    })
    const send = async () => {
      for (const message of asked) {
        job.postMessage(message)
        if ('statements' in message) await setImmediate()
      }
    }
    const [told] = await Promise.all([outcome, send()])
    return told
  }
  return {
    transaction: (statements, guard) => carryOut(partsOf(statements, guard)),
    async checkpoint(checkpoint) {
      await carryOut([{ checkpoint }])
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

function* partsOf(statements: readonly Statement[], guard: Statement | undefined): Generator<Asked> {
  for (const part of slices(statements, PART.statements, PART.characters, lengthOf)) yield { statements: part }
  yield { guard }
}

const given = task.safeParse(workerData)
const port = parentPort
if (port && given.success) {
  const { writesTo } = given.data
  let connection: SqliteConnection | undefined
  const told = async (statements: readonly Statement[], last: Last): Promise<ThreadReply> => {
    try {
      const open = connection ?? (await connect(writesTo, COMMIT_PATIENCE_MS))
      connection = open
      if ('guard' in last) return { outcome: open.transaction(statements, last.guard) }
      const [row] = open.query({ text: `PRAGMA wal_checkpoint(${last.checkpoint})`, values: [] })
      return { outcome: row?.busy === 0 ? 'done' : 'refused' }
    } catch (error) {
      return {
        failure: error instanceof Error ? error.message : String(error),
        code: codeOf(error),
        isOutage: error instanceof StorageUnavailable
      }
    }
  }
  const taken = (job: MessagePort) => {
    const statements: Statement[] = []
    job.on('message', async (asked: Asked) => {
      if ('statements' in asked) {
        for (const one of asked.statements) statements.push(one)
        return
      }
      job.postMessage(await told(statements, asked))
      job.close()
    })
  }
  port.on('message', (received: MessagePort | 'close') => {
    if (received !== 'close') return taken(received)
    connection?.close()
    port.close()
  })
}
