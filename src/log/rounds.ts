/**
 * Shares rounds of work among calls: each call gets a round that starts after it was made, and everyone who comes while a
 * round is under way shares the next. At most one round runs at a time.
 */
export function rounds(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null
  let next: Promise<void> | null = null
  const start = (): Promise<void> => {
    next = null
    running = work().finally(() => {
      // Where a next round waits it takes over at once, so that nobody starts another beside it.
      if (!next) running = null
    })
    return running
  }
  return () => {
    if (!running) return start()
    next ??= running.then(start, start)
    return next
  }
}
