import { setImmediate } from 'node:timers/promises'

let last: Promise<void> = Promise.resolve()

/**
 * Resolves in a turn of the event loop that nobody else gets who asks for one: work that is done in pieces, each behind this,
 * holds up nobody for longer than one piece takes, however many do such work.
 */
export function nextTurn(): Promise<void> {
  last = last.then(() => setImmediate())
  return last
}
