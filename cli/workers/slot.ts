import cluster, { type Worker } from 'node:cluster'
import type { FromWorker, LastWords, Task, ToWorker } from './messages.js'

/** How a worker has ended. */
export interface WorkerEnd {
  readonly pid: number | undefined
  readonly code: number | null
  readonly signal: string | null
  /** How long it had answered requests, in milliseconds; null where it never came to it. */
  readonly served_ms: number | null
  /** What it said of why; null where it said nothing. */
  readonly words: LastWords | null
}

/** Who is told what workers do. */
export interface SlotEvents {
  /** What a worker is to serve that begins now. */
  task(slot: Slot): Task
  message(slot: Slot, message: FromWorker): void
  ended(slot: Slot, end: WorkerEnd): void
}

/** A place for one worker, in which another one follows when it has ended. */
export class Slot {
  readonly number: number
  readonly #events: SlotEvents
  #worker: Worker | null = null
  #isServing = false
  #timer: NodeJS.Timeout | undefined
  #gone: Promise<void> = Promise.resolve()
  /** How many of its workers, one after another, have not served or ended soon after they began to. */
  failures = 0

  constructor(number: number, events: SlotEvents) {
    this.number = number
    this.#events = events
  }

  /** True while there is a worker here that answers requests. */
  get isServing(): boolean {
    return this.#isServing
  }

  /** Resolves when there is no worker here. */
  get gone(): Promise<void> {
    return this.#gone
  }

  /** Begins a worker. Resolves with its address once it answers requests; or with its end, where that comes first. */
  begin(): Promise<{ readonly url: string } | WorkerEnd> {
    const worker = cluster.fork()
    const closeHanded = watchHanded(worker)
    let serving_ms: number | null = null
    let words: LastWords | null = null
    this.#worker = worker
    return new Promise((resolve) => {
      worker.on('message', (message: FromWorker) => {
        if (message.type === 'ready') this.send({ type: 'begin', ...this.#events.task(this) })
        if (message.type === 'ending') words = message
        if (message.type === 'serving') {
          serving_ms = performance.now()
          this.#isServing = true
          resolve(message)
        }
        this.#events.message(this, message)
      })
      this.#gone = new Promise((gone) => {
        const ended = (code: number | null, signal: string | null) => {
          if (this.#worker !== worker) return
          const served_ms = serving_ms === null ? null : performance.now() - serving_ms
          this.#worker = null
          this.#isServing = false
          const { pid } = worker.process
          const end = { pid, code, signal, served_ms, words }
          closeHanded()
          gone()
          resolve(end)
          this.#events.ended(this, end)
        }
        worker.once('exit', ended)
        worker.on('error', () => {
          // One that could not even be begun does not exit.
          if (worker.process.pid === undefined) ended(null, null)
        })
      })
    })
  }

  /** Begins a worker after a while, unless `cancel` is called before. */
  beginAfter(wait_ms: number): void {
    this.#timer = setTimeout(() => void this.begin(), wait_ms)
  }

  cancel(): void {
    clearTimeout(this.#timer)
  }

  /** Tells the worker, if there is one. */
  send(message: ToWorker): void {
    // What cannot be sent is for one that is about to end.
    if (this.#worker?.isConnected()) this.#worker.send(message, () => {})
  }

  /** Ends the worker at once, whatever it does. */
  kill(): void {
    this.#worker?.process.kill('SIGKILL')
  }
}

/**
 * Remembers the connection that is being handed to a worker. Node forgets it where the worker dies meanwhile, and its client would wait
 * for ever: what is returned closes it.
 */
function watchHanded(worker: Worker): () => void {
  let last: Closable | null = null
  worker.process.send = new Proxy(worker.process.send, {
    apply(send, child, args) {
      const [, handle] = args
      if (isClosable(handle)) last = handle
      return Reflect.apply(send, child, args)
    }
  })
  // One that the worker has taken is closed here already, and stays so.
  return () => last?.close()
}

interface Closable {
  close(): void
}

function isClosable(handle: unknown): handle is Closable {
  return typeof handle === 'object' && handle !== null && 'close' in handle && typeof handle.close === 'function'
}
