import { readFileSync, readlinkSync } from 'node:fs'
import { basename } from 'node:path'
import { parentPort, Worker, workerData } from 'node:worker_threads'
import { z } from 'zod'
import { errors, HubError } from '../../errors.js'
import { threadHeap } from '../../lib/heap.js'
import { LIMITS, type Limit } from '../../limits.js'

type Bounds = Readonly<Record<'importTime' | 'importClock' | 'importMemory', Pick<Limit, 'max'>>>

const LOOKS_PER_LIMIT = 80
const OUT_OF_MEMORY = 'ERR_WORKER_OUT_OF_MEMORY'
/** How long a thread waits for another task before it is ended, and what its heap may hold meanwhile. */
const KEPT_MS = 30_000
const KEPT_HEAP_MAX_BYTES = 64 * 1024 * 1024

const refusal = z.object({ status: z.number(), message: z.string(), code: z.string() })
const answer = z.union([
  z.object({ done: z.unknown(), heap_bytes: z.number() }),
  z.object({ refusal, heap_bytes: z.number() })
])
const message = z.union([z.object({ begun: z.number().nullable() }), ...answer.options])
type Answer = z.infer<typeof answer>

/** By its module, a thread that has nothing to do: to begin one takes longer than most files take. */
const kept = new Map<string, { readonly worker: Worker; readonly end: NodeJS.Timeout }>()

/**
 * Runs the module of a thread on a task and returns what it answers; what it refuses is thrown as the refusal that it is. However
 * long or deep the task is, the event loop here goes on: the thread has a limit of memory, of the time that it has a processor and
 * of the time by the clock, and is ended where it reaches one. One that has answered is kept for a while for the next task.
 */
export async function inThread({ href }: URL, task: object, bounds: Bounds = LIMITS): Promise<unknown> {
  const worker = taken(href) ?? begun(href, bounds)
  let answer: Answer
  try {
    answer = await answerOf(worker, task, bounds)
  } catch (error) {
    void worker.terminate()
    throw error
  }
  keep(href, worker, answer)
  if (!('refusal' in answer)) return answer.done
  const { status, message, code } = answer.refusal
  throw new HubError(status, message).coded(code)
}

function begun(href: string, { importMemory }: Bounds): Worker {
  const resourceLimits = threadHeap('file', importMemory.max)
  return new Worker(new URL(href), { workerData: { answers: href }, resourceLimits })
}

function taken(href: string): Worker | undefined {
  const one = kept.get(href)
  if (!one) return undefined
  kept.delete(href)
  clearTimeout(one.end)
  unheard(one.worker)
  one.worker.ref()
  return one.worker
}

/** Nobody waits for the end of a process whose threads have nothing to do. */
function keep(href: string, worker: Worker, { heap_bytes }: Answer): void {
  if (kept.has(href) || heap_bytes > KEPT_HEAP_MAX_BYTES) return void worker.terminate()
  const end = () => {
    if (kept.get(href)?.worker === worker) kept.delete(href)
    void worker.terminate()
  }
  unheard(worker)
  worker.on('error', end)
  worker.on('exit', end)
  worker.unref()
  kept.set(href, { worker, end: setTimeout(end, KEPT_MS).unref() })
}

/** Takes our listeners away; a worker has some of its own, for events that are not its thread's. */
function unheard(worker: Worker): void {
  for (const event of ['message', 'error', 'exit']) worker.removeAllListeners(event)
}

function answerOf(worker: Worker, task: object, bounds: Bounds): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined
  const answered = new Promise<Answer>((resolve, reject) => {
    let number: number | null = null
    /** What the thread has had of a processor before it began with the task; null until it has. */
    let before_ms: number | null = null
    const asked_ms = performance.now()
    timer = setInterval(() => {
      const took_ms = before_ms === null ? 0 : processorTime_ms(worker, number) - before_ms
      if (took_ms > bounds.importTime.max) reject(errors.importTooLong(bounds.importTime.max))
      else if (performance.now() - asked_ms > bounds.importClock.max) reject(errors.busy())
    }, bounds.importTime.max / LOOKS_PER_LIMIT)
    worker.on('message', (received: unknown) => {
      const told = message.parse(received)
      if (!('begun' in told)) return resolve(told)
      number = told.begun
      before_ms = processorTime_ms(worker, number)
    })
    worker.on('error', (error) => {
      const isMemory = 'code' in error && error.code === OUT_OF_MEMORY
      reject(isMemory ? errors.importTooLarge('reading it takes too much memory') : error)
    })
    worker.on('exit', () => reject(new Error('The thread of an import or export ended too early.')))
  })
  worker.postMessage(task)
  return answered.finally(() => clearInterval(timer))
}

/**
 * Makes a module's thread answer tasks: for each, what `work` returns or refuses. Anything else that is thrown ends the thread.
 * Nothing happens where the module was not loaded as the thread that `inThread` begins.
 */
export function answerTasks<Task>(href: string, task: z.ZodType<Task>, work: (task: Task) => unknown): void {
  if (!z.object({ answers: z.literal(href) }).safeParse(workerData).success) return
  const tell = (told: z.infer<typeof message>) => parentPort?.postMessage(told)
  parentPort?.on('message', (received: unknown) => {
    tell({ begun: threadNumber() })
    const answered = resultOf(() => work(task.parse(received)))
    tell({ ...answered, heap_bytes: process.memoryUsage().heapUsed })
  })
}

function resultOf(work: () => unknown): { readonly done: unknown } | { readonly refusal: z.infer<typeof refusal> } {
  try {
    return { done: work() }
  } catch (error) {
    // The depth of what is read is bounded, and so is that of calls.
    const refused = error instanceof RangeError ? errors.importTooLarge('it nests too deep') : error
    if (!(refused instanceof HubError)) throw error
    return { refusal: { status: refused.status, message: refused.message, code: refused.code } }
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
