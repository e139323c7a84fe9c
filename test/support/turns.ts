import { readFileSync } from 'node:fs'

/** Watches how long the turns of the event loop are. */
export interface TurnWatch {
  /** The longest turn since the last call, in milliseconds. */
  taken(): number
  stop(): void
}

/**
 * Measures how long anybody else has to wait for the event loop. Time in which the thread was ready, but others had the
 * processors, is left out where the system tells it.
 */
export function watchTurns(): TurnWatch {
  let longest_ms = 0
  let last_ms = performance.now() - waited_ms()
  const look = () => {
    const now_ms = performance.now() - waited_ms()
    longest_ms = Math.max(longest_ms, now_ms - last_ms)
    last_ms = now_ms
  }
  const timer = setInterval(look, 1)
  return {
    taken() {
      look()
      const taken_ms = longest_ms
      longest_ms = 0
      return taken_ms
    },
    stop: () => clearInterval(timer)
  }
}

/** Does the work, and measures the longest turn of the event loop meanwhile, as `watchTurns` does. */
export async function longestTurn<T>(
  work: () => Promise<T>
): Promise<{ readonly value: T; readonly longest_ms: number }> {
  const watch = watchTurns()
  try {
    const value = await work()
    await new Promise((resolve) => setTimeout(resolve, 5))
    return { value, longest_ms: watch.taken() }
  } finally {
    watch.stop()
  }
}

/** Does the work, and counts the turns of the event loop that others have meanwhile. */
export async function turnsOfOthers(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let isOver = false
  const count = () => {
    turns++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  await work()
  isOver = true
  return turns
}

/** How long this thread has waited for a processor since it began; 0 where the system does not say. */
function waited_ms(): number {
  try {
    const [, waited_ns] = readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ')
    return Number(waited_ns) / 1e6
  } catch {
    return 0
  }
}
