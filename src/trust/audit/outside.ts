import type { EventHeader, Head } from '../../log/event.js'

/** What of a log is asked to find events that stand outside of it. */
export interface LogBounds {
  head(): Promise<Pick<Head, 'position'>>
  readHeaders(after: number, limit: number): Promise<readonly Pick<EventHeader, 'position'>[]>
}

/** An event that is not where events are: its position, and why it cannot be there. */
export interface Outside {
  readonly position: number
  readonly reason: string
}

const WHAT_TO_DO = 'No hub has put it there: find out who can write the database, and delete this row from the log.'

/** The first event before the first position or behind the end of the log; null where there is none. Writers may go on meanwhile. */
export async function eventOutside(log: LogBounds): Promise<Outside | null> {
  const [first] = await log.readHeaders(Number.MIN_SAFE_INTEGER, 1)
  if (first && first.position < 1)
    return {
      position: first.position,
      reason: `The log begins at 1, and this event stands before it. ${WHAT_TO_DO}`
    }
  const [behind] = await log.readHeaders((await log.head()).position, 1)
  if (!behind) return null
  // What was committed between the two questions moved the end of the log with it.
  const { position: end } = await log.head()
  return behind.position <= end
    ? null
    : {
        position: behind.position,
        reason: `The log ends at ${end}, and this event stands behind its end. ${WHAT_TO_DO}`
      }
}
