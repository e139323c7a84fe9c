/**
 * The pages of a log from the position `from` up to `to`, each asked for while the one before it is worked on. Ends early
 * where there is nothing more.
 */
export async function* pages<E extends { readonly position: number }>(
  read: (after: number) => Promise<readonly E[]>,
  from: number,
  to: number
): AsyncGenerator<readonly E[], void> {
  let next = from < to ? begun(read(from)) : null
  while (next !== null) {
    const page = await next
    const last = page.at(-1)
    if (!last) return
    next = last.position < to ? begun(read(last.position)) : null
    yield page
  }
}

/** Whoever stops in the middle of a page never asks what became of the next. */
function begun<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {})
  return promise
}
