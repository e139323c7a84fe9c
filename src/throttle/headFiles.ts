import { closeSync, constants, fstatSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { isCode, leaveToOwner, makeFolder } from '../lib/files.js'
import { type AnnouncedEnd, announcedEnd, type KnownHeads } from '../log/knownHeads.js'

/** More than an end takes as a text: what is written over another one covers it. */
const WIDTH = 400
/** So many files stay open: to open one and close it with every commit takes a hundredth of a small write's time. */
const OPEN_MAX = 64

/** Ends of logs in files, which stay open until this is closed. */
export interface HeadFiles extends KnownHeads {
  close(): void
}

/**
 * How far logs have come, in files of a directory, one for each log: for hubs without Redis, so that the next start knows. It is made
 * when it is first needed. Nothing is told where it cannot be written; what a crash of the machine leaves half written is told anew.
 */
export function headFiles(directory: string): HeadFiles {
  const pathOf = (log: string) => join(directory, log)
  const files = new LRUCache<string, number>({ max: OPEN_MAX, dispose: (file) => closeSync(file) })
  const open = (log: string) => openSync(pathOf(log), constants.O_CREAT | constants.O_WRONLY, 0o600)
  const opened = (log: string): number => {
    try {
      return open(log)
    } catch (error) {
      if (!isCode(error, 'ENOENT')) throw error
      makeFolder(directory)
      return open(log)
    }
  }
  const fileOf = (log: string): number => {
    const known = files.get(log)
    // Without a name it was taken away, or another one is in its place.
    if (known !== undefined && fstatSync(known).nlink > 0) return known
    const file = opened(log)
    leaveToOwner(file, directory)
    files.set(log, file)
    return file
  }
  const write = (log: string, end: AnnouncedEnd): void => {
    writeSync(fileOf(log), JSON.stringify(end).padEnd(WIDTH), 0)
  }
  return {
    async furthest(log) {
      try {
        return announcedEnd.parse(JSON.parse(readFileSync(pathOf(log), 'utf8')))
      } catch {
        return null
      }
    },
    // Who else writes the same database tells the same file.
    async announce(log, _after, end) {
      write(log, end)
      return null
    },
    accept: async (log, end) => write(log, end),
    close: () => files.clear()
  }
}
