import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect: unknown = runInNewContext('gc')

/** Bytes that are in use, garbage collected. */
export function heldNow(): number {
  if (typeof collect !== 'function') throw new Error('Garbage cannot be collected here.')
  collect()
  return used()
}

/** What work takes: its time, and how far memory goes above what was in use before it, garbage collected. */
export async function strain<T>(
  work: () => Promise<T>
): Promise<{ readonly value: T; readonly took_ms: number; readonly grown_bytes: number }> {
  const idle = heldNow()
  const started = performance.now()
  let peak = idle
  let isOver = false
  const watch = (async () => {
    for (; !isOver; await setImmediate()) peak = Math.max(peak, used())
  })()
  try {
    const value = await work()
    return { value, took_ms: performance.now() - started, grown_bytes: peak - idle }
  } finally {
    isOver = true
    await watch
  }
}

function used(): number {
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
