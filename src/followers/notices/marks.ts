import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { LIMITS } from '../../limits.js'
import type { StateStore } from '../../storage/storage.js'
import { NOTICE_DAYS } from './news.js'

/**
 * Which notices an account has read, beside the log: everything up to a position but for those in `unread`, and some one by one.
 * Reading is telemetry and no history: it would make the log several times as long.
 */
const marks = z.object({
  through: z.number(),
  at: z.string(),
  single: z.array(z.tuple([z.number(), z.string()])),
  /** Of what an older hub has told, what nobody has read. */
  unread: z.array(z.number()).default([]),
  /** Up to which positions everything was read before that, and when, ascending. */
  earlier: z.array(z.tuple([z.number(), z.string()])).default([])
})
export type ReadMarks = z.infer<typeof marks>

export const NOTHING_READ: ReadMarks = {
  through: 0,
  at: new Date(0).toISOString(),
  single: [],
  unread: [],
  earlier: []
}

const DAY_MS = 86_400_000
/** So many earlier times at which all was read are known apart. */
const EARLIER_MAX = 30

const keyOf = (userId: string) => `notices-${userId}`

/** When the notice of an event was read; null where it was not. */
export function readAt({ through, at, single, unread, earlier }: ReadMarks, position: number): string | null {
  const one = single.find(([read]) => read === position)
  if (one) return one[1]
  if (position > through || unread.includes(position)) return null
  return earlier.find(([last]) => position <= last)?.[1] ?? at
}

/** The position up to which nothing is unread. */
export function readThrough({ through, unread }: ReadMarks): number {
  return Math.min(through, ...unread.map((position) => position - 1))
}

/**
 * The marks after one more notice was read, those before where it was read already. Where too many are read one by one, older ones than
 * the oldest count as read.
 */
export function withRead(before: ReadMarks, position: number, at: string): ReadMarks {
  if (position <= before.through && !before.unread.includes(position)) return before
  if (before.single.some(([read]) => read === position)) return before
  const unread = before.unread.filter((one) => one !== position)
  const single = [...before.single, [position, at] satisfies [number, string]].sort(([a], [b]) => a - b)
  const [oldest] = single
  if (single.length <= LIMITS.noticesRead.max || !oldest) return { ...before, single, unread }
  const moved = oldest[0] > before.through ? { through: oldest[0], at: oldest[1], earlier: earlierOf(before) } : {}
  return { ...before, ...moved, single: single.slice(1), unread }
}

/** The marks after everything up to a position was read. What was read before keeps its time for as long as notices tell of it. */
export function withAllRead(before: ReadMarks, through: number, at: string): ReadMarks {
  if (through <= before.through && before.unread.length === 0) return before
  const isNow = (position: number) => position <= through
  const now = before.unread.filter(isNow).map((position) => [position, at] satisfies [number, string])
  const since = new Date(Date.parse(at) - NOTICE_DAYS * DAY_MS).toISOString()
  const isTold = ([position, read]: readonly [number, string]) => read >= since || !isNow(position)
  return {
    ...{ through: Math.max(through, before.through), at, earlier: earlierOf(before).filter(isTold) },
    single: [...before.single.filter(isTold), ...now].sort(([a], [b]) => a - b).slice(-LIMITS.noticesRead.max),
    unread: before.unread.filter((position) => !isNow(position))
  }
}

function earlierOf({ through, at, earlier }: ReadMarks): ReadMarks['earlier'] {
  return through === 0 ? earlier : [...earlier, [through, at] satisfies [number, string]].slice(-EARLIER_MAX)
}

/** What an account has read. */
export async function marksOf(state: Pick<StateStore, 'get'>, userId: string): Promise<ReadMarks> {
  const entry = await state.get(keyOf(userId))
  return entry ? marksIn(entry.text) : NOTHING_READ
}

/** Changes what an account has read, whoever else does so at the same time, and returns what it is then. */
export async function changeMarks(
  state: StateStore,
  userId: string,
  change: (before: ReadMarks) => ReadMarks
): Promise<ReadMarks> {
  for (;;) {
    const entry = await state.get(keyOf(userId))
    const before = entry ? marksIn(entry.text) : NOTHING_READ
    const after = change(before)
    if (after === before) return before
    if ((await state.put(keyOf(userId), JSON.stringify(after), entry?.mark ?? null)) !== null) return after
  }
}

/** Forgets what an account has read, which is gone. */
export function forgetMarks(state: Pick<StateStore, 'delete'>, userId: string): Promise<void> {
  return state.delete(keyOf(userId))
}

const marksIn = (text: string): ReadMarks => marks.parse(JSON.parse(text))

const KEPT = 2000
const KEPT_MS = 2000

/** What accounts have read, kept for those whose streams are open: what other processes change shows within two seconds. */
export class MarkCache {
  readonly #state: StateStore
  readonly #known = new LRUCache<string, ReadMarks>({ maxSize: KEPT, sizeCalculation: () => 1, ttl: KEPT_MS })

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
