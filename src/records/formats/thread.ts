import { readFileSync, readlinkSync } from 'node:fs'
import { basename } from 'node:path'
import { parentPort, Worker } from 'node:worker_threads'
import { z } from 'zod'
import { errors, HubError } from '../../errors.js'
import { threadHeap } from '../../lib/heap.js'
import { LIMITS, type Limit } from '../../limits.js'

type Bounds = Readonly<Record<'importTime' | 'importClock' | 'importMemory', Pick<Limit, 'max'>>>

const LOOKS_PER_LIMIT = 80
const OUT_OF_MEMORY = 'ERR_WORKER_OUT_OF_MEMORY'

const message = z.union([
  z.object({ begun: z.number().nullable() }),
  z.object({ done: z.unknown() }),
  z.object({ refusal: z.object({ status: z.number(), message: z.string(), code: z.string() }) })
])

/**
 * Runs the module of a thread on a task and returns what it answers; what it refuses is thrown as the refusal that it is. However
 * long or deep the task is, the event loop here goes on: the thread has a limit of memory, of the time that it has a processor and
 * of the time by the clock, and is ended where it reaches one.
 */
export function inThread(module: URL, task: object, bounds: Bounds = LIMITS): Promise<unknown> {
  const worker = new Worker(module, {
    workerData: task,
    resourceLimits: threadHeap('file', bounds.importMemory.max)
  })
  return new Promise<unknown>((resolve, reject) => {
    let number: number | null = null
    const begun = performance.now()
    const timer = setInterval(() => {
      if (processorTime_ms(worker, number) > bounds.importTime.max) reject(errors.importTooLong(bounds.importTime.max))
      else if (performance.now() - begun > bounds.importClock.max) reject(errors.busy())
    }, bounds.importTime.max / LOOKS_PER_LIMIT)
    worker.on('message', (received: unknown) => {
      const told = message.parse(received)
      if ('begun' in told) number = told.begun
      else if ('refusal' in told) {
        const { status, message, code } = told.refusal
        reject(new HubError(status, message).coded(code))
      } else resolve(told.done)
    })
    worker.on('error', (error) => {
      const isMemory = 'code' in error && error.code === OUT_OF_MEMORY
      reject(isMemory ? errors.importTooLarge('reading it takes too much memory') : error)
    })
    worker.on('exit', () => {
      clearInterval(timer)
      reject(new Error('The thread of an import or export ended too early.'))
    })
  }).finally(() => void worker.terminate())
}

/** Tells the process, from its thread, what `work` returns or refuses. Anything else that is thrown ends the thread. */
export function answerWith(work: () => unknown): void {
  const tell = (told: z.infer<typeof message>) => parentPort?.postMessage(told)
  tell({ begun: threadNumber() })
  try {
    tell({ done: work() })
  } catch (error) {
    // The depth of what is read is bounded, and so is that of calls.
    const refusal = error instanceof RangeError ? errors.importTooLarge('it nests too deep') : error
    if (!(refusal instanceof HubError)) throw error
    tell({ refusal: { status: refusal.status, message: refusal.message, code: refusal.code } })
  }
}

/** The number that the system knows this thread by; null where it tells none. */
export function threadNumber(): number | null {
  try {
    return Number(basename(readlinkSync('/proc/thread-self')))
  } catch {
    return null
  }
}

/**
 * How long a thread of this process has had a processor. Where the system does not tell it by a number, how long the thread was not
 * idle: that counts what it waits for a processor.
 */
export function processorTime_ms(worker: Worker, number: number | null): number {
  try {
    if (number !== null) return Number(readFileSync(`/proc/self/task/${number}/schedstat`, 'utf8').split(' ')[0]) / 1e6
  } catch {
    // It has ended, or this system keeps no such file.
  }
  return worker.performance.eventLoopUtilization().active
}
