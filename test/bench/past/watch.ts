import { monitorEventLoopDelay } from 'node:perf_hooks'

const EVERY_MS = 5

/** What a process has come to since it was asked last. */
export interface Strain {
  readonly longestTurn_ms: number
  readonly heap_bytes: number
  readonly peakHeap_bytes: number
}

/** Watches the turns of the event loop and the heap of this process; each answer begins a new stretch. */
export function watch(): () => Strain {
  const turns = monitorEventLoopDelay({ resolution: 1 })
  turns.enable()
  let peak = 0
  setInterval(() => {
    peak = Math.max(peak, used())
  }, EVERY_MS).unref()
  return () => {
    const strain = { longestTurn_ms: turns.max / 1e6, peakHeap_bytes: Math.max(peak, used()), heap_bytes: settled() }
    turns.reset()
    peak = 0
    return strain
  }
}

/** What is in use once garbage is collected, where the process was started so that this can be asked for. */
function settled(): number {
  globalThis.gc?.()
  return used()
}

function used(): number {
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
