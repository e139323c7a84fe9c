/** Waits until the promise settles, the time is over or the signal is aborted, and does not say which. */
export async function waitFor(promise: Promise<unknown>, limit_ms: number, signal: AbortSignal): Promise<void> {
  if (limit_ms <= 0 || signal.aborted) return
  await new Promise<void>((resolve) => {
    const enough = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', enough)
      resolve()
    }
    const timer = setTimeout(enough, limit_ms)
    signal.addEventListener('abort', enough)
    promise.then(enough, enough)
  })
}

/** The promise, or a rejection when the time is over or the signal is aborted. */
export async function within<T>(promise: Promise<T>, limit_ms: number, signal: AbortSignal): Promise<T> {
  const late = Symbol('late')
  const first = await Promise.race([promise, waitFor(promise, limit_ms, signal).then((): typeof late => late)])
  if (first !== late) return first
  signal.throwIfAborted()
  throw new Error(`Not done within ${limit_ms} ms`)
}
