import { HubRequestError, HubUnreachableError } from './errors.js'

/** How often something is tried, and how long is waited in between. */
export interface Backoff {
  readonly attempts: number
  readonly first_ms: number
  readonly most_ms: number
  /** How long is waited at most for a hub that says when to come back: of longer times who asked is told instead. */
  readonly retryAfterMost_ms: number
}

/** Does the work until it succeeds, fails for good, or has failed as often as it may. */
export async function retrying<T>(
  work: () => Promise<T>,
  backoff: Backoff,
  signal: AbortSignal | undefined
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      const wait_ms = attempt < backoff.attempts ? waitAfter(error, attempt, backoff) : null
      if (wait_ms === null) throw error
      await pause(wait_ms, signal)
    }
  }
}

/** How long to wait after a failure before the next attempt; null where another one makes no sense. */
export function waitAfter(error: unknown, attempt: number, backoff: Backoff): number | null {
  const { first_ms, most_ms, retryAfterMost_ms } = backoff
  // Up to half of it is by chance: clients that have failed together do not come back together.
  const grown_ms = Math.min(most_ms, first_ms * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2)
  if (error instanceof HubUnreachableError) return grown_ms
  if (!(error instanceof HubRequestError) || (error.status !== 429 && error.status !== 503)) return null
  const { retryAfter_ms } = error
  if (retryAfter_ms === null) return grown_ms
  return retryAfter_ms <= retryAfterMost_ms ? Math.max(retryAfter_ms, grown_ms) : null
}

/** Resolves after this time; rejects with the reason as soon as the signal is aborted. */
export function pause(time_ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, time_ms)
    signal?.addEventListener('abort', abort, { once: true })
  })
}
