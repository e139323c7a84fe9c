import type { Body } from './attempt.js'

/** What is to be done after the test that runs or, in a hook before them all, after its suite; undefined outside of both. */
let scope: Body[] | undefined

/**
 * Has this done after the test that runs, whatever becomes of it, or after the suite where one of its `before` hooks asks. What was
 * asked for last is done first. Outside of a suite, in a benchmark for instance, it is whoever asks that does it.
 */
export function afterwards(cleanup: Body): void {
  scope?.unshift(cleanup)
}

/** The same for what may be done before as well, by calling what this returns: it is done once. */
export function onceAfterwards(cleanup: () => Promise<unknown>): () => Promise<void> {
  let done: Promise<unknown> | undefined
  const once = async () => {
    done ??= cleanup()
    await done
  }
  afterwards(once)
  return once
}

/** Collects what is to be done afterwards while `work` runs. */
export async function collecting<T>(into: Body[], work: () => Promise<T>): Promise<T> {
  scope = into
  try {
    return await work()
  } finally {
    scope = undefined
  }
}
