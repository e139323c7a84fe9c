import { type Storage, StorageUnavailable } from '../storage/storage.js'
import type { Head } from './event.js'

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
