import { closeSync, constants, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { isCode } from '../lib/files.js'
import { type KnownHeads, type ToldEnd, toldEnd } from '../log/knownHeads.js'

/** More than an end takes as a text: what is written over another one covers it. */
const WIDTH = 400

/**
 * How far logs have come, in files of a directory, one for each log: for hubs without Redis, so that the next start knows. It is made
 * when it is first needed. Nothing is told where it cannot be written; what a crash of the machine leaves half written is told anew.
 */
export function headFiles(directory: string): KnownHeads {
  const pathOf = (log: string) => join(directory, log)
  const open = (log: string) => openSync(pathOf(log), constants.O_CREAT | constants.O_WRONLY, 0o600)
  const opened = (log: string): number => {
    try {
      return open(log)
    } catch (error) {
      if (!isCode(error, 'ENOENT')) throw error
      mkdirSync(directory, { recursive: true, mode: 0o700 })
      return open(log)
    }
  }
  const write = (log: string, end: ToldEnd): void => {
    const file = opened(log)
    try {
      writeSync(file, JSON.stringify(end).padEnd(WIDTH), 0)
    } finally {
      closeSync(file)
    }
  }
  return {
    async furthest(log) {
      try {
        return toldEnd.parse(JSON.parse(readFileSync(pathOf(log), 'utf8')))
      } catch {
        return null
      }
    },
    // Who else writes the same database tells the same file.
    async tell(log, _after, end) {
      write(log, end)
      return null
    },
    accept: async (log, end) => write(log, end)
  }
}
