import { setTimeout as sleep } from 'node:timers/promises'

const LIMIT_MS = 60_000
const POLL_MS = 50

/** Resolves once something is so, an error being a no; rejects where it is not within a minute. */
export async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const limit_ms = Date.now() + LIMIT_MS
  while (!(await isSo().catch(() => false))) {
    if (Date.now() > limit_ms) throw new Error(`After a minute it is not so that ${what}.`)
    await sleep(POLL_MS)
  }
}
