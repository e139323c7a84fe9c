import { readFileSync } from 'node:fs'

/**
 * Does the work, and measures the longest turn of the event loop meanwhile: how long anybody else would have had to wait. Time
 * in which the thread was ready, but others had the processors, is left out where the system tells it.
 */
export async function longestTurn<T>(
  work: () => Promise<T>
): Promise<{ readonly value: T; readonly longest_ms: number }> {
  let longest_ms = 0
  let last_ms = performance.now() - waited_ms()
  let isOver = false
  const look = () => {
    const now_ms = performance.now() - waited_ms()
    longest_ms = Math.max(longest_ms, now_ms - last_ms)
    last_ms = now_ms
    if (!isOver) setImmediate(look)
  }
  setImmediate(look)
  try {
    const value = await work()
    await new Promise((resolve) => setTimeout(resolve, 5))
    return { value, longest_ms }
  } finally {
    isOver = true
  }
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
