import type { Storage } from '../storage/storage.js'
import { GENESIS } from './chain.js'
import type { Head, LinkedType } from './event.js'

/** Where a log has ended at some time. */
export type LogEnd = Pick<Head, 'position' | 'chain'>

/** The chain behind the event at a position; undefined where the log has none there. */
export async function chainAt(log: Pick<Storage, 'readHeaders'>, position: number): Promise<string | undefined> {
  if (position === 0) return GENESIS
  const [event] = await log.readHeaders(position - 1, 1)
  return event?.position === position ? event.chain : undefined
}

/** True where the log still holds the event that it ended with then. */
export async function holds(log: Pick<Storage, 'readHeaders'>, { position, chain }: LogEnd): Promise<boolean> {
  return (await chainAt(log, position)) === chain
}

/** What came behind an end of the log up to a position, in one question; null where the log does not hold that end any more. */
export async function eventsSince(
  log: Pick<Storage, 'readTypes'>,
  { position, chain }: LogEnd,
  through: number
): Promise<readonly LinkedType[] | null> {
  const events = await log.readTypes(Math.max(0, position - 1), Math.max(position, through))
  if (position === 0) return chain === GENESIS ? events : null
  const [end, ...since] = events
  return end?.position === position && end.chain === chain ? since : null
}
