import type { LoadedConfig } from '../../src/config/load.js'
import type { PeerQuestion } from '../../src/ops/peers.js'

/** What a worker has to say for itself when it ends, and the exit code that goes with it. */
export interface LastWords {
  readonly lines: readonly string[]
  readonly code: number
  /** True where no other worker can go on either, as where another release has taken the database over. */
  readonly endsAll: boolean
}

/** What a worker tells the primary. */
export type FromWorker =
  /** It listens for messages. */
  | { readonly type: 'ready' }
  /** It answers requests, at an address that works on this machine. */
  | { readonly type: 'serving'; readonly url: string }
  | ({ readonly type: 'ending' } & LastWords)
  /** All are to be asked this. */
  | { readonly type: 'ask'; readonly id: number; readonly question: PeerQuestion }
  | { readonly type: 'answer'; readonly id: number; readonly answer: Answer }

/** What the primary tells a worker. */
export type ToWorker =
  | ({ readonly type: 'begin' } & Task)
  | { readonly type: 'question'; readonly id: number; readonly question: PeerQuestion }
  | { readonly type: 'answers'; readonly id: number; readonly answers: readonly Answer[] }
  | { readonly type: 'reopenLog' }
  | { readonly type: 'stop' }

/** What a worker is to serve: the configuration that is in force in all of them, whatever the file says by now. */
export interface Task {
  /** From 1. */
  readonly number: number
  readonly count: number
  readonly loaded: LoadedConfig
}

/** What a process has answered, or why it could not. */
export type Answer = { readonly value: unknown } | { readonly failure: string }
