import { readFileSync, readlinkSync } from 'node:fs'
import { basename } from 'node:path'
import type { Worker } from 'node:worker_threads'

/** The number that the system knows this thread by; null where it tells none. */
export function threadNumber(): number | null {
  try {
    return Number(basename(readlinkSync('/proc/thread-self')))
  } catch {
    return null
  }
}

/**
 * How long a thread of this process has had a processor. Where the system does not tell it by a number, how long the thread was not
 * idle: that counts what it waits for a processor.
 */
export function processorTime_ms(worker: Worker, number: number | null): number {
  try {
    if (number !== null) return Number(readFileSync(`/proc/self/task/${number}/schedstat`, 'utf8').split(' ')[0]) / 1e6
  } catch {
    // It has ended, or this system keeps no such file.
  }
  return worker.performance.eventLoopUtilization().active
}
