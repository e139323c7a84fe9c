import { Worker } from 'node:worker_threads'
import { z } from 'zod'
import { errors, HubError } from '../errors.js'
import { LIMITS } from '../limits.js'

/** How many files are read or written now, and who waits for a thread. */
let running = 0
const waiting: (() => void)[] = []

const answer = z.union([
  z.object({ done: z.unknown() }),
  z.object({ refusal: z.object({ status: z.number(), message: z.string() }) })
])

const OUT_OF_MEMORY = 'ERR_WORKER_OUT_OF_MEMORY'

/**
 * Runs the module of a thread on a task and returns what it answers; what it refuses is thrown as the refusal that it is. However
 * long or deep the task is, the event loop here goes on: the thread has a limit of time and of memory, and is ended where it
 * reaches one. Few run at once; refuses with 503 where many wait.
 */
export async function inThread(module: URL, task: object): Promise<unknown> {
  if (running >= LIMITS.importThreads.max) {
    if (waiting.length >= LIMITS.importsWaiting.max) throw errors.busy()
    await new Promise<void>((resolve) => waiting.push(resolve))
  } else running++
  try {
    return await ofThread(module, task)
  } finally {
    // Whoever waits takes over the place.
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}

function ofThread(module: URL, task: object): Promise<unknown> {
  const worker = new Worker(module, {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: LIMITS.importMemory.max / 1024 / 1024 }
  })
  return new Promise<unknown>((resolve, reject) => {
    const timer = setTimeout(() => reject(errors.importTooLong(LIMITS.importTime.max)), LIMITS.importTime.max)
    worker.on('message', (message: unknown) => {
      const told = answer.parse(message)
      if ('refusal' in told) reject(new HubError(told.refusal.status, told.refusal.message))
      else resolve(told.done)
    })
    worker.on('error', (error) => {
      const isMemory = 'code' in error && error.code === OUT_OF_MEMORY
      reject(isMemory ? errors.importTooLarge('reading it takes too much memory') : error)
    })
    worker.on('exit', () => {
      clearTimeout(timer)
      reject(new Error('The thread of an import or export ended too early.'))
    })
  }).finally(() => void worker.terminate())
}

/** What a thread answers: what `work` returns, or what it refuses. Anything else that is thrown ends the thread. */
export function answerOf(work: () => unknown): z.infer<typeof answer> {
  try {
    return { done: work() }
  } catch (error) {
    if (error instanceof HubError) return { refusal: { status: error.status, message: error.message } }
    // The depth of what is read is bounded, and so is that of calls.
    if (error instanceof RangeError) return { refusal: errorOf(errors.importTooLarge('it nests too deep')) }
    throw error
  }
}

const errorOf = ({ status, message }: HubError) => ({ status, message })
