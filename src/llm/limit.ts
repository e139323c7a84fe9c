import { setMaxListeners } from 'node:events'

export interface JoinedSignal {
  readonly signal: AbortSignal
  /** Has to be called when nobody needs the signal any more. */
  dispose(): void
}

/** A signal that is aborted with the first of several. `AbortSignal.any` would keep hold of those that live on. */
export function joinSignals(...signals: readonly AbortSignal[]): JoinedSignal {
  const joined = new AbortController()
  // Each call and each tool of a step listens, and all the steps to a signal that is about the whole hub.
  setMaxListeners(0, joined.signal, ...signals)
  const abort = () => joined.abort()
  for (const signal of signals) {
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
  }
  return {
    signal: joined.signal,
    dispose() {
      for (const signal of signals) signal.removeEventListener('abort', abort)
    }
  }
}

/** The end of what a step may do: its client has left, or its time is up. */
export interface StepLimit extends JoinedSignal {
  /** True when it was the time. */
  expired(): boolean
}

/** Joins the signal of a client with a limit of time. */
export function stepLimit(client: AbortSignal, limit_ms: number): StepLimit {
  const time = new AbortController()
  const { signal, dispose } = joinSignals(client, time.signal)
  let expired = false
  const timer = setTimeout(() => {
    expired = !signal.aborted
    time.abort()
  }, limit_ms)
  return {
    signal,
    expired: () => expired,
    dispose() {
      clearTimeout(timer)
      dispose()
    }
  }
}

/** Waits for the work, but not past the signal: then it resolves to `undefined`, and how the work ends is ignored. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  let stop = () => {}
  const aborted = new Promise<undefined>((resolve) => {
    stop = () => resolve(undefined)
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
  })
  work.catch(() => {})
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
