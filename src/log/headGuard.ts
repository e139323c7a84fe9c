import type { Storage } from '../storage/storage.js'
import type { Head } from './event.js'

/** What is asked of every head that is read, and done to every one that is written. */
export interface HeadGuard {
  /** Throws where nobody may go by this head: then nothing is read or written after it. */
  readonly check: (head: Head) => void
  /** The head as it is written; as it is, unless told. */
  readonly written?: (head: Head) => Head
}

/** The same storage under these guards: each checks what is read, and what is written is as the last of them leaves it. */
export function guardedBy(storage: Storage, ...guards: readonly HeadGuard[]): Storage {
  let good: Head | undefined
  const checked = (head: Head): Head => {
    // The very one that was found good before, as long as the log does not move.
    if (head !== good) for (const { check } of guards) check(head)
    good = head
    return head
  }
  const steps = guards.flatMap((guard) => guard.written ?? [])
  const written = (head: Head): Head => steps.reduce((before, step) => step(before), head)
  return {
    ...storage,
    head: async () => checked(await storage.head()),
    commit: (commit) => storage.commit({ ...commit, head: written(commit.head) }),
    write: (decide) =>
      storage.write(async (head) => {
        const commit = await decide(checked(head))
        return commit && { ...commit, head: written(commit.head) }
      }),
    snapshot: (read) =>
      storage.snapshot((at) => {
        checked(at.head)
        return read(at)
      })
  }
}
