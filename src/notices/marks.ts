import { z } from 'zod'
import { LIMITS } from '../limits.js'
import type { StateStore } from '../storage/storage.js'

/**
 * Which notices an account has read, beside the log: everything up to a position, and some behind it one by one. Reading is
 * telemetry and no history: it would make the log several times as long.
 */
const marks = z.object({
  through: z.number(),
  at: z.string(),
  single: z.array(z.tuple([z.number(), z.string()]))
})
export type ReadMarks = z.infer<typeof marks>

export const NOTHING_READ: ReadMarks = { through: 0, at: new Date(0).toISOString(), single: [] }

const keyOf = (userId: string) => `notices-${userId}`

/** When the notice of an event was read; null where it was not. */
export function readAt({ through, at, single }: ReadMarks, position: number): string | null {
  if (position <= through) return at
  return single.find(([read]) => read === position)?.[1] ?? null
}

/** The marks after one more notice was read. Where too many are read one by one, older ones than the oldest count as read. */
export function withRead(before: ReadMarks, position: number, at: string): ReadMarks {
  if (position <= before.through) return before
  const others = before.single.filter(([read]) => read !== position)
  const single = [...others, [position, at] satisfies [number, string]].sort(([a], [b]) => a - b)
  const [oldest] = single
  if (single.length <= LIMITS.noticesRead.max || !oldest) return { ...before, single }
  return { through: oldest[0], at: oldest[1], single: single.slice(1) }
}

/** The marks after everything up to a position was read. */
export function withAllRead(before: ReadMarks, through: number, at: string): ReadMarks {
  if (through <= before.through) return before
  return { through, at, single: before.single.filter(([position]) => position > through) }
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
