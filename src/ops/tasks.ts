import { z } from 'zod'
import type { StateStore } from '../storage/storage.js'

/** What a hub does again and again in the background. */
export type Task =
  | 'checkpoint'
  | 'checkpoint file'
  | 'witness'
  | 'erasure'
  | 'images'
  | 'sign-ins'
  | 'tenants'
  | 'upkeep of tenants'
  | 'verification'

/** That a task has failed each time since then: how often, and why the last time. */
const failing = z.object({ times: z.number(), since: z.string(), why: z.string() })
export type Failing = z.infer<typeof failing>
const note = z.record(z.string(), failing)

/** Where the log ended when it was signed last. */
export interface LastCheckpoint {
  readonly position: number
  readonly at: string
}

/** What the last verification of the log and the read tables came to; `position` is how far the log was verified. */
export interface LastVerification {
  readonly at: string
  readonly status: 'ok' | 'failed'
  readonly text: string
  readonly position: number | null
}

/** What a process has done last of what it does from time to time, for whoever asks how it stands; null for what it has not. */
export class ChoresDone {
  checkpoint: LastCheckpoint | null = null
  verification: LastVerification | null = null
  /** The tasks that have failed the last times. */
  readonly failing: Partial<Record<Task, Failing>> = {}
}

const KEY = 'failing-tasks'
const WHY_MAX = 500

/** Where failures are told; a pino logger is one. */
export interface TaskLog {
  error(details: object, message: string): void
  warn(details: object, message: string): void
}

/** The tasks that have failed the last times, as the hub has noted it for who looks at its database. */
export async function failingTasks(state: Pick<StateStore, 'get'>): Promise<Readonly<Record<string, Failing>>> {
  return noteIn((await state.get(KEY))?.text)
}

function noteIn(text: string | undefined): Readonly<Record<string, Failing>> {
  try {
    return text === undefined ? {} : (note.safeParse(JSON.parse(text)).data ?? {})
  } catch {
    return {}
  }
}

/**
 * Carries out the tasks of a process. What fails is logged and counted in `done`, and noted in the database until it works again;
 * nothing rejects.
 */
export class Tasks {
  readonly #log: TaskLog
  readonly #done: ChoresDone
  readonly #state: () => StateStore
  /** What this process knows that is not noted as failing. */
  readonly #well = new Set<Task>()

  constructor(log: TaskLog, done: ChoresDone, state: () => StateStore) {
    this.#log = log
    this.#done = done
    this.#state = state
  }

  /** Does nothing once `ended` is aborted, and what fails by then has not failed. */
  async run(task: Task, work: () => Promise<unknown>, ended?: AbortSignal): Promise<void> {
    if (ended?.aborted) return
    try {
      await work()
    } catch (err) {
      if (ended?.aborted) return
      return this.failed(task, err)
    }
    await this.worked(task)
  }

  async failed(task: Task, err: unknown): Promise<void> {
    const before = this.#done.failing[task]
    const times = (before?.times ?? 0) + 1
    const why = (err instanceof Error ? err.message : String(err)).slice(0, WHY_MAX)
    const now = { times, since: before?.since ?? new Date().toISOString(), why }
    this.#done.failing[task] = now
    if (times === 1) this.#log.error({ err, task }, 'a regular task failed')
    else this.#log.error({ err, task, times, since: now.since }, 'a regular task fails again and again')
    this.#well.delete(task)
    await this.#note((noted) => ({ ...noted, [task]: now }))
  }

  async worked(task: Task): Promise<void> {
    const before = this.#done.failing[task]
    if (before) this.#log.warn({ task, times: before.times, since: before.since }, 'a regular task works again')
    await this.forget(task)
  }

  /** What was noted of a task is over: it has worked, or is not to be done any more. */
  async forget(task: Task): Promise<void> {
    delete this.#done.failing[task]
    if (this.#well.has(task)) return
    // A process before this one may have noted it.
    const isNoted = await this.#note(({ [task]: _, ...others }) => others)
    if (isNoted) this.#well.add(task)
  }

  /** Notes it unless it is noted already. False where the database cannot be had: the next time it is tried again. */
  async #note(
    change: (noted: Readonly<Record<string, Failing>>) => Readonly<Record<string, Failing>>
  ): Promise<boolean> {
    try {
      const state = this.#state()
      const entry = await state.get(KEY)
      const text = JSON.stringify(change(noteIn(entry?.text)))
      return text === (entry?.text ?? '{}') || (await state.put(KEY, text, entry?.mark ?? null)) !== null
    } catch {
      return false
    }
  }
}
