import { LIMITS } from '../limits.js'

/** A text beside the log, under the mark of what was written last: whoever replaces it names the mark that it replaces. */
export interface StateEntry {
  readonly key: string
  readonly text: string
  readonly mark: string
}

/**
 * Small texts by key beside the log: where those stand who follow it. They change often, are no history, and no read table
 * depends on them. A key is 1 to 64 printable ASCII characters, a text at most `LIMITS.stateText` bytes; both are checked.
 */
export interface StateStore {
  get(key: string): Promise<StateEntry | null>
  /**
   * Puts a text in place of the one with the mark `over`, null for none. Returns the new mark; null, with nothing changed,
   * where something else is there. When it throws, it may have happened.
   */
  put(key: string, text: string, over: string | null): Promise<string | null>
  /** The entries whose key begins with `prefix` and is above `after`, ascending: at most `limit`, and `LIMITS.statePage`. */
  list(prefix: string, after: string, limit: number): Promise<readonly StateEntry[]>
  /** Takes the text away, whatever its mark; nothing where there is none. */
  delete(key: string): Promise<void>
}

const KEY = /^[\x21-\x7d]{1,64}$/

/** What every key that begins with a prefix is below: no key has this character. */
export const ABOVE_EVERY_KEY = '~'

/** Throws a `RangeError` for what is no key of a `StateStore`. */
function requireKey(key: string): void {
  if (!KEY.test(key)) throw new RangeError(`This is no key of a state: ${JSON.stringify(key)}`)
}

/** What a driver keeps, with the checks and the bounds of every `StateStore`. It is asked for lists above a key from the prefix on. */
export function checkedState(state: StateStore): StateStore {
  return {
    async get(key) {
      requireKey(key)
      return state.get(key)
    },
    async put(key, text, over) {
      requireKey(key)
      const bytes = Buffer.byteLength(text)
      if (bytes > LIMITS.stateText.max) throw new RangeError(`The state ${key} has ${bytes} bytes, which are too many.`)
      return state.put(key, text, over)
    },
    list: (prefix, after, limit) =>
      state.list(prefix, after > prefix ? after : prefix, Math.min(limit, LIMITS.statePage.max)),
    async delete(key) {
      requireKey(key)
      await state.delete(key)
    }
  }
}
