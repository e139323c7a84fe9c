/**
 * Comes out as the work does, or rejects with the reason as soon as the signal is aborted, whether the work minds the signal or not.
 * What comes of it then is nobody's.
 */
export function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    const done = () => signal.removeEventListener('abort', abort)
    work.then(resolve, reject).finally(done)
  })
}

/**
 * Does work under a signal that is aborted when `signal` is, or once it has taken so long. By hand: Node 20 collects a time-out that nobody
 * but `AbortSignal.any` refers to, and it never ends.
 */
export async function within<T>(
  most_ms: number,
  signal: AbortSignal | undefined,
  work: (over: AbortSignal) => Promise<T>
): Promise<T> {
  signal?.throwIfAborted()
  const over = new AbortController()
  const stop = () => over.abort(signal?.reason)
  const timer = setTimeout(() => over.abort(new DOMException('It took too long.', 'TimeoutError')), most_ms)
  signal?.addEventListener('abort', stop, { once: true })
  try {
    return await work(over.signal)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
  }
}
