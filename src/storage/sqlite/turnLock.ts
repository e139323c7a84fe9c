import { setTimeout as sleep } from 'node:timers/promises'
import { TURN_PATIENCE_MS, type TurnLock } from '../turns.js'
import { codeOf, open } from './connection.js'

const POLL_MS = 1
/** Who has had it just now leaves others the time to see that it is free. */
const PAUSE_MS = 3

/** The lock of a file beside the database. */
export async function sqliteTurnLock(path: string): Promise<TurnLock> {
  const file = await open(`${path}.lock`)
  file.exec('PRAGMA busy_timeout = 0')
  let isOpen = true
  let freed = Number.NEGATIVE_INFINITY
  return {
    async hold() {
      const asked = performance.now()
      if (asked - freed < PAUSE_MS) await sleep(PAUSE_MS)
      while (performance.now() - asked < TURN_PATIENCE_MS) {
        try {
          file.exec('BEGIN EXCLUSIVE')
          return true
        } catch (error) {
          if (!codeOf(error).startsWith('SQLITE_BUSY')) throw error
        }
        await sleep(POLL_MS)
      }
      return false
    },
    async free() {
      file.exec('ROLLBACK')
      freed = performance.now()
    },
    destroy() {
      if (isOpen) file.close()
      isOpen = false
    }
  }
}
