import { LIMITS } from '../limits.js'
import { StorageUnavailable } from '../storage/storage.js'
import type { HeadGuard } from './headGuard.js'

/** The clock of this machine is ahead of the database's: what was written by it, all others would have to wait for. */
export class ClockAhead extends StorageUnavailable {
  constructor(by_ms: number) {
    super(
      `The clock of this machine is ${Math.round(by_ms / 60_000)} minutes ahead of the database's: nothing is written by it. Set it right, and keep it so by NTP.`
    )
  }
}

/**
 * Refuses to write where the clock is minutes ahead of that of the database. The time of the log never goes back, so that other
 * hubs would write with that time until theirs has passed it.
 */
export const withClock = (now: () => number): HeadGuard => ({
  check({ clock_ms }) {
    const by_ms = clock_ms === undefined ? 0 : now() - clock_ms
    if (by_ms > LIMITS.clockAhead.max) throw new ClockAhead(by_ms)
  }
})
