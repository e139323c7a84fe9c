import { setTimeout as sleep } from 'node:timers/promises'
import type { Turns } from './storage.js'

/** Whoever has waited so long for a turn goes on without: a process that has one and does not go on must not stop all others. */
export const TURN_PATIENCE_MS = 1000
/** Whoever is silent for so much longer is not there. */
const SILENCE_MS = 500

/** A lock that others may hold, on a connection or a file of its own: it goes with that. */
export interface TurnLock {
  /** Waits for the lock, at most `TURN_PATIENCE_MS`. False where somebody else has it still. */
  hold(): Promise<boolean>
  free(): Promise<void>
  /** Ends the connection at once. */
  destroy(): void
}

/** Turns by a lock that `open` opens when somebody first wants one, and again after it was lost. */
export function turnsBy(open: () => Promise<TurnLock>): Turns & { close(): void } {
  let current: TurnLock | null = null
  let isClosed = false
  const forget = (lock: TurnLock | null) => {
    lock?.destroy()
    if (current === lock) current = null
  }
  const held = async (): Promise<TurnLock | null> => {
    let lock = current
    try {
      lock ??= await open()
      if (isClosed) throw new Error('No turns are taken any more.')
      current = lock
      return (await lock.hold()) ? lock : null
    } catch {
      forget(lock)
      return null
    }
  }
  return {
    async take() {
      const over = new AbortController()
      const silence = sleep(TURN_PATIENCE_MS + SILENCE_MS, 'silent' as const, { signal: over.signal, ref: false })
      const asked = held()
      const lock = await Promise.race([asked, silence])
      if (lock === 'silent') {
        forget(current)
        void asked.then(forget)
        return null
      }
      over.abort()
      if (!lock) return null
      return () => void lock.free().catch(() => forget(lock))
    },
    close() {
      isClosed = true
      forget(current)
    }
  }
}
