import { inspect } from 'node:util'
import { Assertion } from 'uvu/assert'
import { watchProgress } from './patience.js'

/** A test or a hook: it fails by throwing or by a rejected promise, or when it neither ends nor prints anything for too long. */
export type Body = () => unknown

/** Runs the bodies in order within one limit and returns what the first failure threw, or undefined. */
export async function failureOf(what: string, limit_ms: number, bodies: readonly Body[]): Promise<unknown> {
  let stop = () => {}
  const late = new Promise<never>((_, reject) => {
    stop = watchProgress(limit_ms, printedBytes, () =>
      reject(new Error(`${what} did not end, nor print anything, within ${limit_ms} ms`))
    )
  })
  try {
    for (const body of bodies) await Promise.race([body(), late])
    return undefined
  } catch (thrown) {
    return thrown ?? new Error(`${what} threw ${thrown}`)
  } finally {
    stop()
  }
}

/** What this process has printed so far; 0 where the system does not count it, in a file for instance. */
function printedBytes(): number {
  return [process.stdout, process.stderr].reduce((sum, { bytesWritten = 0 }) => sum + bytesWritten, 0)
}

/** uvu prints its own assertions well and stumbles over anything that is not an error. */
export function printable(thrown: unknown): Error {
  if (thrown instanceof Assertion) return thrown
  const message = thrown instanceof Error ? thrown.message : inspect(thrown)
  return Object.assign(new Error(message), { stack: inspect(thrown) })
}
