/** Aborted, with a `TimeoutError`, when the time is over, whoever refers to it. */
export function timeout(limit_ms: number): AbortSignal {
  const signal = AbortSignal.timeout(Math.ceil(limit_ms))
  // Node 20 collects a time-out, running or not, that nobody but `AbortSignal.any` refers to.
  signal.addEventListener('abort', () => undefined)
  return signal
}
