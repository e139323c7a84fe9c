import { timeout } from '../lib/timeout.js'

/** True for what `timeout` is aborted with. */
export function isTimeoutError(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'TimeoutError'
}

/** What the work comes to, or a rejection with the reason of the signal as soon as that is aborted. */
export function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort)
    void work.then(resolve, reject).then(() => signal.removeEventListener('abort', abort))
  })
}

/** Waits for the work, but no longer than so long, or until the signal is aborted, and does not say which. */
export async function waitFor(work: Promise<unknown>, limit_ms: number, signal?: AbortSignal): Promise<void> {
  if (limit_ms <= 0 || signal?.aborted) return
  const signals = [timeout(limit_ms), ...(signal ? [signal] : [])]
  await abortable(work, AbortSignal.any(signals)).catch(() => undefined)
}

/**
 * A signal for a library that leaves its listeners behind: it follows another one until it is released. By hand, since
 * Node keeps a signal of `AbortSignal.any` for as long as it has listeners.
 */
export function followed(signal: AbortSignal): { readonly signal: AbortSignal; readonly release: () => void } {
  const own = new AbortController()
  const abort = () => own.abort(signal.reason)
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort, { once: true })
  return { signal: own.signal, release: () => signal.removeEventListener('abort', abort) }
}
