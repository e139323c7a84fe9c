import type { Storage } from '../storage/storage.js'
import { GENESIS } from './chain.js'
import type { Head } from './event.js'

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
