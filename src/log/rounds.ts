/**
 * Shares rounds of work among calls: each call gets a round that starts after it was made. Everyone who comes in one turn of the
 * event loop, or while a round is under way, shares the next. At most one round runs at a time.
 */
export function rounds(work: () => Promise<void>): () => Promise<void> {
  let isRunning = false
  let next: { readonly promise: Promise<void>; readonly begin: () => void } | null = null
  const gather = () => {
    let begin: () => void = () => {}
    const promise = new Promise<void>((resolve, reject) => {
      begin = () => {
        next = null
        isRunning = true
        work()
          .finally(() => {
            isRunning = false
            next?.begin()
          })
          .then(resolve, reject)
      }
    })
    return { promise, begin }
  }
  return () => {
    if (!next) {
      next = gather()
      if (!isRunning) setImmediate(next.begin)
    }
    return next.promise
  }
}
