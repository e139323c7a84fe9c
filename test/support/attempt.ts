import { inspect } from 'node:util'
import { Assertion } from 'uvu/assert'

/** A test or a hook: it fails by throwing or by a rejected promise, or when it does not end in time. */
export type Body = () => unknown

/** Runs the bodies in order within one limit and returns what the first failure threw, or undefined. */
export async function failureOf(what: string, limit_ms: number, bodies: readonly Body[]): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} did not end within ${limit_ms} ms`)), limit_ms)
  })
  try {
    for (const body of bodies) await Promise.race([body(), late])
    return undefined
  } catch (thrown) {
    return thrown ?? new Error(`${what} threw ${thrown}`)
  } finally {
    clearTimeout(timer)
  }
}

/** uvu prints its own assertions well and stumbles over anything that is not an error. */
export function printable(thrown: unknown): Error {
  if (thrown instanceof Assertion) return thrown
  const message = thrown instanceof Error ? thrown.message : inspect(thrown)
  return Object.assign(new Error(message), { stack: inspect(thrown) })
}
