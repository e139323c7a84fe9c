import { type Storage, StorageUnavailable } from '../storage/storage.js'
import type { Head } from './event.js'
import type { LogEnd } from './logEnd.js'

/** How the hub goes on behind a loss. */
export const UNTIL_ACCEPTED =
  'Nothing is read or written until the database that has it answers, or an operator has run `hub log accept-head`.'

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

/** Somebody who is no hub has written behind the end of the log: nothing can be written until that is gone. */
export class LogObstructed extends StorageUnavailable {
  constructor(position: number, options?: ErrorOptions) {
    super(
      `An event stands at position ${position} of the log, behind its end, and the hub did not write it: nothing can be written. Stop the hub, run \`hub audit verify\`, and delete that row from the log.`,
      options
    )
  }
}

/** Why a commit behind `after` failed: `LogObstructed` where an event stands in its way that nobody committed, else `error`. */
export async function causeOf(
  storage: Pick<Storage, 'head' | 'readHeaders'>,
  after: Head,
  error: unknown
): Promise<unknown> {
  try {
    const [behind] = await storage.readHeaders(after.position, 1)
    const { position } = await storage.head()
    return behind && position === after.position ? new LogObstructed(behind.position, { cause: error }) : error
  } catch {
    return error
  }
}
