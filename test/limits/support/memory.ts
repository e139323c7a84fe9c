import { statfsSync } from 'node:fs'
import { freemem } from 'node:os'

const PLACE = '/dev/shm'
const ROOM_BYTES = 8 * 2 ** 30

/**
 * A directory whose files lie in memory; undefined where there is none, or not enough room. SQLite reads and commits within the event
 * loop, so on a disk that others keep busy these tests would measure the disk.
 */
export function directoryInMemory(): string | undefined {
  try {
    const { bavail, bsize } = statfsSync(PLACE)
    return bavail * bsize >= ROOM_BYTES && freemem() >= ROOM_BYTES ? PLACE : undefined
  } catch {
    return undefined
  }
}
