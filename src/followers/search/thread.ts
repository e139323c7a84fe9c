import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { z } from 'zod'
import type { IndexChanges } from './file.js'
import { type Progress, progressOf } from './progress.js'
import type { FoundEntry, IndexQuery } from './question.js'
import { IndexUnavailable } from './unavailable.js'

/** So many questions may wait for the thread. */
const WAITING_MAX = 1000

/**
 * The index by which records are searched: made from what the log and the read tables say, so it can be emptied and filled again at
 * any time. It is in a file that a thread of its own works on. Every method throws `IndexUnavailable` where that fails; a file
 * that cannot be read any more is then empty.
 */
export interface SearchIndex {
  /** How far it is; null where it is empty. */
  progress(): Promise<Progress | null>
  /** Changes records and moves the progress from `over` to `to`, all or nothing; false, with nothing changed, where it is another one. */
  apply(over: Progress | null, to: Progress | null, changes: IndexChanges): Promise<boolean>
  find(query: IndexQuery): Promise<readonly FoundEntry[]>
  /** Takes the next part of what was removed up to some erasure out of the file; true when nothing of it is left. */
  sweep(erasure: number): Promise<boolean>
  /** Empties it. */
  empty(): Promise<void>
  /** Lets go of the file. */
  close(): Promise<void>
}

/** What is asked of a file. */
export type Question =
  | { readonly what: 'progress' }
  | { readonly what: 'apply'; readonly over: string; readonly to: string; readonly changes: IndexChanges }
  | { readonly what: 'find'; readonly query: IndexQuery }
  | { readonly what: 'sweep'; readonly erasure: number }

/** What is asked of the thread. */
export type Asked = Question | { readonly what: 'empty' } | { readonly what: 'close' }

/** A question, of the index with this number, which is in this file. */
export interface Call {
  readonly call: number
  readonly index: number
  readonly path: string | null
  readonly asked: Asked
}

const reply = z.object({ call: z.number(), result: z.unknown().optional(), failure: z.string().optional() })
const found = z.array(z.object({ id: z.string(), position: z.number(), tier: z.number() }))

interface Waiting {
  readonly resolve: (result: unknown) => void
  readonly reject: (error: Error) => void
}

/** The thread of this process, with what waits for it. It begins with the first question, and again behind its death. */
let running: { readonly worker: Worker; readonly waiting: Map<number, Waiting> } | undefined
let calls = 0
let indexes = 0

/**
 * The index in a file that is this process's alone; without a path, or where another process has the file, in one without a name.
 * Nothing is opened before the first question.
 */
export function searchIndex(path: string | null): SearchIndex {
  const index = ++indexes
  let isOpen = false
  const ask = (asked: Asked) => {
    isOpen = true
    return answered({ call: ++calls, index, path, asked })
  }
  return {
    progress: async () => progressOf(z.string().parse(await ask({ what: 'progress' }))),
    apply: async (over, to, changes) =>
      z.boolean().parse(await ask({ what: 'apply', over: textOf(over), to: textOf(to), changes })),
    find: async (query) => found.parse(await ask({ what: 'find', query })),
    sweep: async (erasure) => z.boolean().parse(await ask({ what: 'sweep', erasure })),
    async empty() {
      await ask({ what: 'empty' })
    },
    async close() {
      if (!isOpen) return
      await ask({ what: 'close' })
      isOpen = false
    }
  }
}

function textOf(progress: Progress | null): string {
  return progress ? JSON.stringify(progress) : ''
}

function answered(call: Call): Promise<unknown> {
  running ??= start()
  const { worker, waiting } = running
  if (waiting.size >= WAITING_MAX) throw new IndexUnavailable('Too much is asked of the search index at once.')
  return new Promise((resolve, reject) => {
    waiting.set(call.call, { resolve, reject })
    worker.ref()
    worker.postMessage(call)
  })
}

function start(): NonNullable<typeof running> {
  const worker = new Worker(new URL(import.meta.url), { workerData: { searches: true } })
  const waiting = new Map<number, Waiting>()
  const over = () => {
    if (running?.worker === worker) running = undefined
    for (const { reject } of waiting.values()) reject(new IndexUnavailable('The thread of the search index has ended.'))
    waiting.clear()
  }
  worker.on('message', (received: unknown) => {
    const { call, result, failure } = reply.parse(received)
    const asked = waiting.get(call)
    waiting.delete(call)
    // Nobody waits for the end of a process that has nothing else to do.
    if (waiting.size === 0) worker.unref()
    if (failure === undefined) asked?.resolve(result)
    else asked?.reject(new IndexUnavailable(failure))
  })
  worker.on('error', over)
  worker.on('exit', over)
  return { worker, waiting }
}

const port = parentPort
if (port && !isMainThread && z.object({ searches: z.literal(true) }).safeParse(workerData).success) {
  const { IndexFiles } = await import('./files.js')
  const files = new IndexFiles()
  port.on('message', ({ call, ...asked }: Call) => {
    try {
      port.postMessage({ call, result: files.answer(asked) })
    } catch (error) {
      const said = error instanceof Error ? error.message : String(error)
      port.postMessage({ call, failure: `The file of the search index cannot be used: ${said}` })
    }
  })
}
