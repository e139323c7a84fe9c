import { monitorEventLoopDelay } from 'node:perf_hooks'

const EVERY_MS = 5
/** By then the pause of a garbage collection has been recorded, so that it does not count in the next stretch. */
export const NEW_STRETCH_AFTER_MS = 50

/** What a process has come to since it was asked last. */
export interface Strain {
  readonly longestTurn_ms: number
  /** The processor time of the turn that took most of it: on a busy machine a turn may last longer than its work. */
  readonly mostWork_ms: number
  readonly heap_bytes: number
  readonly peakHeap_bytes: number
}

/** Watches the turns of the event loop and the heap of this process; each answer begins a new stretch a moment later. */
export function watch(): () => Strain {
  const turns = monitorEventLoopDelay({ resolution: 1 })
  turns.enable()
  let [peak, most, before] = [0, 0, worked()]
  setInterval(() => {
    peak = Math.max(peak, used())
    const now = worked()
    most = Math.max(most, now - before)
    before = now
  }, EVERY_MS).unref()
  return () => {
    const reached = { longestTurn_ms: turns.max / 1e6, mostWork_ms: most, peakHeap_bytes: Math.max(peak, used()) }
    const strain = { ...reached, heap_bytes: settled() }
    setTimeout(() => {
      turns.reset()
      peak = 0
      before = worked()
      most = 0
    }, NEW_STRETCH_AFTER_MS).unref()
    return strain
  }
}

/** What is in use once garbage is collected, where the process was started so that this can be asked for. */
function settled(): number {
  globalThis.gc?.()
  return used()
}

/** The processor time of this process so far, in milliseconds. */
function worked(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

function used(): number {
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
