import type { Writable } from 'node:stream'

const SHUTDOWN_LIMIT_MS = 25_000
/** Ctrl-C reaches a program below npm twice, from the terminal and from npm; that is one wish to stop. */
const SAME_WISH_MS = 500
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const

type StopSignal = keyof typeof EXIT_CODES

/**
 * Resolves when SIGINT or SIGTERM has come and `close` is done; rejects with what `close` threw, or once `reason` has come,
 * with that and `close` done: what is served cannot go on then. When `close` takes too long the process exits with 1, at a second
 * signal at once with the signal's code.
 */
export function stopped(close: () => Promise<void>, stderr: Writable, reason: Promise<Error>): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      setTimeout(() => {
        stderr.write(`Requests were still running after ${SHUTDOWN_LIMIT_MS / 1000} seconds; they were cut off.\n`)
        process.exit(1)
      }, SHUTDOWN_LIMIT_MS).unref()
      return close()
    }
    void reason.then((error) => end().then(() => reject(error), reject))
    onWish(() => end().then(resolve, reject))
  })
}

/** Calls `stop` at the first SIGINT or SIGTERM; at a second one the process exits with its code. Returns what ends that. */
function onWish(stop: () => void): () => void {
  let since: number | null = null
  const hear = (signal: StopSignal) => {
    const now = performance.now()
    if (since !== null) {
      if (now - since > SAME_WISH_MS) process.exit(EXIT_CODES[signal])
      return
    }
    since = now
    stop()
  }
  process.on('SIGINT', hear).on('SIGTERM', hear)
  return () => process.off('SIGINT', hear).off('SIGTERM', hear)
}

/**
 * Runs `work` with a signal that SIGINT and SIGTERM abort while it runs, a second one as with `stopped`; where all that it does is to
 * print, also that nobody reads `output` any more.
 */
export async function stoppable<T>(work: (signal: AbortSignal) => Promise<T>, output?: Writable): Promise<T> {
  const stop = new AbortController()
  const end = () => stop.abort()
  const forget = onWish(end)
  output?.once('error', end)
  try {
    return await work(stop.signal)
  } finally {
    forget()
    output?.off('error', end)
  }
}
