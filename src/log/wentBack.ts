import { StorageUnavailable } from '../storage/storage.js'
import type { Head } from './event.js'
import type { LogEnd } from './logEnd.js'

/** How the hub goes on behind a loss. */
export const UNTIL_ACCEPTED = 'Nothing is read or written until an operator has run `hub log accept-head`.'

/** The end that a log was known to have. */
export type KnownEnd = LogEnd & Pick<Head, 'at'>

/**
 * The log does not hold what this process knew to be committed: it was put back, or another database has taken the place of the one
 * that had it. Nothing that the process believes can be relied on, so nothing is read or written until somebody accepts it.
 */
export class HeadWentBack extends StorageUnavailable {
  constructor(
    readonly known: KnownEnd,
    readonly found: LogEnd
  ) {
    super(`${lossText(known, found)} ${UNTIL_ACCEPTED}`)
  }
}

/** What an operator is told of an end of the log that is lost; `found` is where it ends now. */
export function lossText(known: Omit<KnownEnd, 'chain'>, found: Pick<LogEnd, 'position'>): string {
  return `The log was known to go on to position ${known.position} (${known.at}), and that event is not in it: it ends at position ${found.position}.`
}
