import { setImmediate } from 'node:timers/promises'
import { StorageUnavailable } from './storage.js'

export interface WatchdogLimits {
  /** How long a server may be silent before it is asked whether it is there. */
  readonly silence_ms: number
  /** How long it may take to say so. */
  readonly probe_ms: number
  /** How often it is asked while it is known not to answer. */
  readonly retry_ms: number
}

/** Together less than three seconds, which is how soon somebody who asks is to be told; and found again within two. */
export const WATCHDOG_LIMITS: WatchdogLimits = { silence_ms: 900, probe_ms: 1600, retry_ms: 500 }

/** Tells a server that takes its time from one that does not answer at all. */
export interface Watchdog {
  /**
   * Asks a question, which may take as long as it does while the server is there. Where it is not, everybody who waits gets
   * `StorageUnavailable`, and whoever asks gets it at once, until it is there again. `late` takes an answer that comes when
   * nobody waits for it any more.
   */
  during<T>(ask: () => Promise<T>, late?: (answer: T) => void): Promise<T>
  stop(): void
}

interface Waiting {
  readonly since: number
  readonly fail: (error: unknown) => void
}

/**
 * Watches the questions to a server. `probe` asks it for a sign of life on a connection of its own, and ends that one when
 * `over` is aborted; any answer is one, a refusal too. `lost` drops the connections of a server that gives none: each of
 * them would have to time out on its own later.
 */
export function watchdog(
  probe: (over: AbortSignal) => Promise<void>,
  lost: () => void,
  { silence_ms, probe_ms, retry_ms }: WatchdogLimits = WATCHDOG_LIMITS
): Watchdog {
  const waiting = new Set<Waiting>()
  const stopped = new AbortController()
  let heard = 0
  let timer: NodeJS.Timeout | undefined
  let isSilent = false

  const isThere = async (): Promise<boolean> => {
    const over = new AbortController()
    const limit = setTimeout(() => over.abort(), probe_ms)
    const signal = AbortSignal.any([over.signal, stopped.signal])
    const silence = new Promise<boolean>((resolve) => {
      signal.addEventListener('abort', () => resolve(false), { once: true })
    })
    const sign = probe(signal).then(
      () => true,
      () => false
    )
    const found = await Promise.race([sign, silence])
    clearTimeout(limit)
    over.abort()
    return found
  }
  const watch = (in_ms: number) => {
    if (!stopped.signal.aborted) timer ??= setTimeout(look, in_ms).unref()
  }
  /** How long until somebody waits who has heard nothing for too long; null where nobody waits. */
  const due_ms = () => {
    const [oldest] = waiting
    return oldest ? Math.max(oldest.since, heard) + silence_ms - performance.now() : null
  }
  const look = async () => {
    const asked = performance.now()
    const due = due_ms()
    if (due !== null && due <= 0) {
      const found = await isThere()
      // An answer may have come that this process had no time to look at.
      if (!found) await setImmediate()
      if (found) heard = performance.now()
      else if (heard < asked && waiting.size > 0 && !stopped.signal.aborted) giveUp()
    }
    timer = undefined
    const next = due_ms()
    if (next !== null) watch(Math.max(0, next))
  }
  const giveUp = () => {
    isSilent = true
    lost()
    for (const { fail } of waiting) fail(unavailable())
    waiting.clear()
    const again = setInterval(async () => {
      if (!isSilent || stopped.signal.aborted) return clearInterval(again)
      if (await isThere()) isSilent = false
    }, retry_ms)
    again.unref()
  }

  return {
    during(ask, late) {
      if (isSilent) return Promise.reject(unavailable())
      return new Promise((resolve, reject) => {
        const one = { since: performance.now(), fail: reject }
        waiting.add(one)
        watch(silence_ms)
        ask().then(
          (answer) => {
            heard = performance.now()
            if (waiting.delete(one)) resolve(answer)
            else late?.(answer)
          },
          (error) => {
            waiting.delete(one)
            reject(error)
          }
        )
      })
    },
    stop() {
      stopped.abort()
      clearTimeout(timer)
    }
  }
}

function unavailable(): StorageUnavailable {
  return new StorageUnavailable('The database does not answer.')
}
