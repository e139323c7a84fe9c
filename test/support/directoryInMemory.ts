import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { freemem } from 'node:os'
import { join } from 'node:path'

const PLACE = '/dev/shm'
const ROOM_BYTES = 8 * 2 ** 30

/**
 * A directory whose files lie in memory; undefined where there is none, not enough room, or no program may be run from it. SQLite reads
 * and commits within the event loop, so on a disk tests wait for the disk, and those at full size would measure it.
 */
export function directoryInMemory(): string | undefined {
  try {
    const { bavail, bsize } = statfsSync(PLACE)
    const hasRoom = bavail * bsize >= ROOM_BYTES && freemem() >= ROOM_BYTES
    return hasRoom && runsPrograms(PLACE) ? PLACE : undefined
  } catch {
    return undefined
  }
}

/** False where the file system is mounted without the right to run what lies there. */
function runsPrograms(place: string): boolean {
  const folder = mkdtempSync(join(place, 'hub-test-program-'))
  try {
    const program = join(folder, 'program')
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 })
    execFileSync(program)
    return true
  } catch {
    return false
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
