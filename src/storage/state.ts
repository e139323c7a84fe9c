import { LIMITS } from '../limits.js'

const KEY = /^[\x21-\x7d]{1,64}$/

/** What every key that begins with a prefix is below: no key has this character. */
export const ABOVE_EVERY_KEY = '~'

/** Throws a `RangeError` for what is no key of a `StateStore`. */
export function requireStateKey(key: string): void {
  if (!KEY.test(key)) throw new RangeError(`This is no key of a state: ${JSON.stringify(key)}`)
}

/** Throws a `RangeError` for what a `StateStore` does not take under a key. */
export function requireState(key: string, text: string): void {
  requireStateKey(key)
  const bytes = Buffer.byteLength(text)
  if (bytes > LIMITS.stateText.max) throw new RangeError(`The state ${key} has ${bytes} bytes, which are too many.`)
}

/** How many entries a list may have that is asked for so many. */
export function statePage(limit: number): number {
  return Math.min(limit, LIMITS.statePage.max)
}
