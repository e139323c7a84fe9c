import { setImmediate } from 'node:timers/promises'

/**
 * Shares rounds of work among calls: each call gets a round that starts after it was made. Everyone who comes in one turn of the
 * event loop, or while a round is under way, shares the next. At most one round runs at a time.
 */
export function coalesced(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null
  let next: Promise<void> | null = null
  const ended = () => {
    running = null
  }
  const round = async () => {
    await (running ?? setImmediate())
    next = null
    const own = work()
    running = own.then(ended, ended)
    return own
  }
  return () => {
    next ??= round()
    return next
  }
}
