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
