import type { Failing, Task } from './tasks.js'

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
