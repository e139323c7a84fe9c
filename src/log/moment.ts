import { z } from 'zod'
import { errors } from '../errors.js'
import type { Storage } from '../storage/storage.js'

type Log = Pick<Storage, 'head' | 'readHeaders'>

const time = z.iso.datetime({ offset: true }).or(z.iso.date())

/** A place in the log as people name it: a position, or a time (ISO 8601; a date alone is its first moment, in UTC). */
export type Moment = { readonly position: number } | { readonly time: string }

/** Reads a moment; refuses with 400 what is neither. `what` names the parameter. */
export function momentOf(text: string, what: string): Moment {
  if (/^\d{1,15}$/.test(text)) return { position: Number(text) }
  const given = time.safeParse(text)
  if (!given.success)
    throw errors.invalid(`${what} must be a position of the log or a time such as 2026-01-31T12:00:00Z.`)
  return { time: new Date(given.data).toISOString() }
}

/** The last position at a moment: that of the last event at or before a time. Refuses a position that is not there yet. */
export async function positionAt(log: Log, moment: Moment, what: string): Promise<number> {
  const { position: head } = await log.head()
  if ('position' in moment) {
    if (moment.position > head)
      throw errors.invalid(`${what} is beyond the end of the log, which is at position ${head}.`)
    return moment.position
  }
  // Times never decrease along the log, so halving finds the place in some twenty reads.
  let [low, high] = [0, head]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    const [event] = await log.readHeaders(middle - 1, 1)
    if (event && event.at <= moment.time) low = middle
    else high = middle - 1
  }
  return low
}
