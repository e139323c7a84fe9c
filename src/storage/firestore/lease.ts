import { setTimeout } from 'node:timers/promises'
import type { StateStore } from '../storage.js'

const LEASE_MS = 6000
const RENEWAL_MS = 1500
const POLL_MS = 250

/**
 * Runs `work` while no other process holds the lease of that name. A lease is a state that its holder writes again and again;
 * one that stays for six seconds as it was, by the clock of whoever waits for it, belongs to a process that has ended.
 */
export async function whileLeased<T>(state: StateStore, name: string, work: () => Promise<T>): Promise<T> {
  let mark: string | null = await taken(state, name)
  const ended = new AbortController()
  const renew = async () => {
    while (mark !== null && (await setTimeout(RENEWAL_MS, true, { signal: ended.signal }).catch(() => false))) {
      const held: string = mark
      // The next renewal may come in time; and what the lease is for can be repeated, where another has it in the end.
      mark = await state.put(name, '', held).catch(() => held)
    }
  }
  const renewing = renew()
  try {
    return await work()
  } finally {
    ended.abort()
    await renewing
    // Where it cannot be released it runs out.
    if ((await state.get(name).catch(() => null))?.mark === mark) await state.delete(name).catch(() => {})
  }
}

/** Takes a lease when it is free, and returns its mark. */
async function taken(state: StateStore, key: string): Promise<string> {
  let seen: string | null = null
  for (let since = performance.now(); ; await setTimeout(POLL_MS)) {
    const over = (await state.get(key))?.mark ?? null
    if (over !== seen) [seen, since] = [over, performance.now()]
    if (over !== null && performance.now() - since < LEASE_MS) continue
    const mark = await state.put(key, '', over)
    if (mark !== null) return mark
  }
}
