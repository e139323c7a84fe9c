import { totalmem } from 'node:os'
import { setFlagsFromString } from 'node:v8'

const GROWING_PERCENT = 40
const MB = 1024 * 1024

/**
 * What the heap of a thread may take of the memory that the process may have, in percent: with two files that are read or written
 * at once all of them leave a quarter for everything else.
 */
const SHARES = { file: 15, verification: 20, rebuild: 25 }

/**
 * Lets the heap grow by less than half of what lives in it between two full collections; by default V8 lets it grow to
 * several times that before it looks. Measured on SQLite with some 90,000 requests in 75 seconds, twice each: the hub's
 * process took at most 134 and 139 MB with it, 209 and 213 MB without. It is no limit: the heap still grows to whatever
 * the work needs.
 */
export function keepHeapSmall(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWING_PERCENT}`)
}

/** The bytes that this process may have: what it is constrained to, or all that the machine has. */
export function memoryOfProcess(): number {
  // Where nothing constrains the process, the answer is none or beyond every machine.
  return Math.min(process.constrainedMemory() || Number.POSITIVE_INFINITY, totalmem())
}

/** The limit of the heap of a thread of this kind, as a `Worker` takes it: its share of `memory`, and no more than `most_bytes`. */
export function threadHeap(
  kind: keyof typeof SHARES,
  most_bytes = Number.POSITIVE_INFINITY,
  memory = memoryOfProcess()
): { readonly maxOldGenerationSizeMb: number } {
  return { maxOldGenerationSizeMb: Math.floor(Math.min(most_bytes, (memory * SHARES[kind]) / 100) / MB) }
}
