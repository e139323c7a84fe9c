import { monitorEventLoopDelay } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'
import { memoryOfProcess } from '../lib/heap.js'
import { LIMITS } from '../limits.js'

/** How busy a process is. */
export interface Load {
  /** The usual delay of the event loop since the measurement before. */
  readonly delay_ms: number
  readonly heapPercent: number
  readonly memoryPercent: number
}

/** Tells whether the process has more to do than it can. */
export interface LoadGuard {
  readonly isOverloaded: boolean
  stop(): void
}

const EVERY_MS = 500
const RESOLUTION_MS = 20
/** A long turn fills a measurement alone: so many of them that follow one another have to say the same. */
const IN_A_ROW = 3

/**
 * Measures the load of this process twice a second: it is overloaded when that was too much three times in a row, until it is
 * not for once. `tell` is told when it begins and when it is over.
 */
export function guardLoad(tell: (isOverloaded: boolean, load: Load) => void): LoadGuard {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delays.enable()
  let isOverloaded = false
  let inARow = 0
  const memory_bytes = memoryOfProcess()
  const timer = setInterval(() => {
    const load = { delay_ms: delays.percentile(50) / 1e6, ...memoryLoad(memory_bytes) }
    delays.reset()
    inARow = isTooMuch(load) ? inARow + 1 : 0
    if (inARow >= IN_A_ROW === isOverloaded) return
    isOverloaded = !isOverloaded
    tell(isOverloaded, load)
  }, EVERY_MS).unref()
  return {
    get isOverloaded() {
      return isOverloaded
    },
    stop() {
      clearInterval(timer)
      delays.disable()
    }
  }
}

/** True where requests had better be refused. */
export function isTooMuch({ delay_ms, heapPercent, memoryPercent }: Load): boolean {
  const { loopDelay, heapShare, memoryShare } = LIMITS
  return delay_ms > loopDelay.max || heapPercent > heapShare.max || memoryPercent > memoryShare.max
}

function memoryLoad(memory_bytes: number): Pick<Load, 'heapPercent' | 'memoryPercent'> {
  const { used_heap_size, heap_size_limit } = getHeapStatistics()
  return {
    heapPercent: (100 * used_heap_size) / heap_size_limit,
    memoryPercent: (100 * residentBytes()) / memory_bytes
  }
}

/** What the process has in memory; none where it cannot be read, for want of a file that may still be opened. */
function residentBytes(): number {
  try {
    return process.memoryUsage.rss()
  } catch {
    return 0
  }
}
