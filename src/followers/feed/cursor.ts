import { errors } from '../../errors.js'
import { chainAt, type LogEnd } from '../../log/logEnd.js'
import type { Storage } from '../../storage/storage.js'

const MARK_LENGTH = 12
/** What a client goes on with: a position alone, or a cursor. */
export const POSITION_OR_CURSOR = /^\d{1,15}(-\d{1,15}-[0-9a-f]{12})?$/

/**
 * A place in the log that a client goes on behind: the position, and the end that the log had when it was given, with a bit of its
 * chain. So it is known again where the log went back since, and has gone on in another way.
 */
export function cursorOf(position: number, head: LogEnd): string {
  return `${position}-${head.position}-${markOf(head.chain)}`
}

/**
 * The position in a text that is `POSITION_OR_CURSOR`; `what` is the name of its field. Refuses with 410 a cursor from before the log
 * went back, and with 400 a position beyond the end.
 */
export async function positionIn(
  text: string,
  what: string,
  head: LogEnd,
  storage: Pick<Storage, 'readHeaders'>
): Promise<number> {
  const [position, end, mark] = text.split('-')
  if (mark !== undefined && mark !== (await markAt(Number(end), head, storage))) throw errors.cursorLost(what)
  if (Number(position) > head.position) throw errors.beyondEnd(what, head.position)
  return Number(position)
}

async function markAt(position: number, head: LogEnd, storage: Pick<Storage, 'readHeaders'>) {
  const chain = position === head.position ? head.chain : await chainAt(storage, position)
  return chain && markOf(chain)
}

function markOf(chain: string): string {
  return chain.slice(0, MARK_LENGTH)
}
