import { availableParallelism, loadavg } from 'node:os'

/** How much of a limit a single look may count, so that a process that was kept from running is not judged for that time. */
const LOOKS_PER_LIMIT = 20
const LONGEST_PAUSE_MS = 500
/** However much is shown, nothing goes on for longer than so many limits. */
const MOST_LIMITS = 10

/** How many times slower than alone a process is likely to be on this machine now: 1 where there are processors to spare. */
export function slowness(): number {
  return Math.max(1, (loadavg()[0] ?? 0) / availableParallelism())
}

/**
 * Calls `giveUp` once `progress` has returned the same for `limit_ms`, or after ten times that. Time in which this process was
 * kept from running does not count, and on a machine with too much to do time counts less. Returns what ends the watch.
 */
export function watchProgress(limit_ms: number, progress: () => number, giveUp: () => void): () => void {
  const pause_ms = Math.min(LONGEST_PAUSE_MS, limit_ms / LOOKS_PER_LIMIT)
  let seen = progress()
  let idle_ms = 0
  let total_ms = 0
  let last_ms = performance.now()
  const timer = setInterval(() => {
    const now_ms = performance.now()
    const counted_ms = Math.min(now_ms - last_ms, 2 * pause_ms) / slowness()
    const shown = progress()
    idle_ms = shown === seen ? idle_ms + counted_ms : 0
    total_ms += counted_ms
    last_ms = now_ms
    seen = shown
    if (idle_ms < limit_ms && total_ms < MOST_LIMITS * limit_ms) return
    clearInterval(timer)
    giveUp()
  }, pause_ms)
  return () => clearInterval(timer)
}
