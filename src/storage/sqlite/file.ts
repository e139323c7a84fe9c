import { statSync } from 'node:fs'
import { StorageUnavailable } from '../storage.js'

/** The file of a database that is open. */
export interface OpenFile {
  /**
   * Throws `StorageUnavailable` where the file has been deleted, or another one has its name: what is written goes into the open file
   * all the same, and nobody would find it after the next start.
   */
  requireSame(): void
}

/** The file that has a name now. */
export function fileAt(path: string): OpenFile {
  const opened = statSync(path, { throwIfNoEntry: false })
  return {
    requireSame() {
      const now = statSync(path, { throwIfNoEntry: false })
      if (!now) throw new StorageUnavailable(`The file of the database is gone while it is open. ${ADVICE}`)
      if (now.ino !== opened?.ino || now.dev !== opened.dev)
        throw new StorageUnavailable(`Another file has been put in the place of the open database. ${ADVICE}`)
    }
  }
}

const ADVICE =
  'Nothing is written any more. Put the file back, or else stop the hub and restore a backup; until it is stopped, the system still has the file under /proc/PID/fd.'
