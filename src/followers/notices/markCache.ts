import { LRUCache } from 'lru-cache'
import type { StateStore } from '../../storage/storage.js'
import { changeMarks, marksOf, type ReadMarks } from './marks.js'

const KEPT = 2000
const KEPT_MS = 2000

/** What accounts have read, kept for those whose streams are open: what other processes change shows within two seconds. */
export class MarkCache {
  readonly #state: StateStore
  readonly #known = new LRUCache<string, ReadMarks>({ max: KEPT, ttl: KEPT_MS })

  constructor(state: StateStore) {
    this.#state = state
  }

  /** What an account had read at some moment of the last two seconds. */
  async recent(userId: string): Promise<ReadMarks> {
    const known = this.#known.get(userId)
    if (known) return known
    const marks = await marksOf(this.#state, userId)
    this.#known.set(userId, marks)
    return marks
  }

  /** What an account has read. */
  now(userId: string): Promise<ReadMarks> {
    return marksOf(this.#state, userId)
  }

  /** Changes it, as `changeMarks` does. */
  async change(userId: string, change: (before: ReadMarks) => ReadMarks): Promise<ReadMarks> {
    const marks = await changeMarks(this.#state, userId, change)
    this.#known.set(userId, marks)
    return marks
  }
}
