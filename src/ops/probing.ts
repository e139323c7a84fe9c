import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { HubProvider } from '../live.js'
import type { Entered } from './readiness.js'

/** The ports of a running hub: its own connections, which stay open until the question is answered. */
export function probing(live: HubProvider): Entered {
  const { hub, leave } = live.enter()
  const ports = {
    config: () => hub.config,
    storage: async () => hub.ledger.storage,
    throttle: async () => hub.throttle,
    room: roomIn
  }
  return { ports, leave }
}

/** How much room there is for this process on the disk that a folder is on, or would be where it is not there yet. */
export async function roomIn(folder: string): Promise<{ readonly free_bytes: number }> {
  try {
    const { bavail, bsize } = await statfs(folder)
    return { free_bytes: bavail * bsize }
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    if (!isMissing || dirname(folder) === folder) throw error
    return roomIn(dirname(folder))
  }
}
