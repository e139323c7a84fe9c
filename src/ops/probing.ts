import { access, constants, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isOpenToOthers } from '../files.js'
import type { HubProvider } from '../live.js'
import type { ContentPorts } from './doctorPorts.js'
import type { ModelPorts } from './modelsCheck.js'
import type { Entered } from './rounds.js'

/** What a running hub asks of itself. */
export type OwnPorts = ContentPorts & ModelPorts

/** The ports of a running hub: its own connections, which stay open until the question is answered. */
export function probing(live: HubProvider): Entered<OwnPorts> {
  const { hub, leave } = live.enter()
  const ports = {
    config: () => hub.config,
    storage: async () => hub.ledger.storage,
    current: hub.ledger.view.current,
    throttle: async () => hub.throttle,
    room: roomIn,
    isWritable,
    now: hub.ledger.now,
    searchPosition: async () => hub.ledger.indexer.counts.position,
    isOpenToOthers,
    models: () => hub.llm?.models.length ?? null,
    calls: () => hub.llm?.calls.all ?? []
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

/** False where this process may not write a file or folder, or its file system is read-only; what is not there is no obstacle. */
export function isWritable(path: string): Promise<boolean> {
  return access(path, constants.W_OK).then(
    () => true,
    (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT'
  )
}
