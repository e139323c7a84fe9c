import { lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isCode } from './files.js'

/** What is kept in a temporary folder. */
type Use = 'import' | 'move' | 'search'

const NAME = /^hub-(import|move|search)-(\d+)-\w+$/
const made = new Set<string>()

/**
 * Makes a folder that whoever asked for it removes, in the directory for temporary files, for its owner alone. What was in those of
 * processes that were killed is of no use to anybody, and may be a whole log: they go first.
 */
export function temporaryFolder(use: Use): string {
  const directory = tmpdir()
  for (const name of readdirSync(directory))
    if (isLeft(directory, name, use)) rmSync(join(directory, name), { recursive: true, force: true })
  const folder = mkdtempSync(join(directory, `hub-${use}-${process.pid}-`))
  made.add(folder)
  return folder
}

/**
 * True for a folder of ours whose process is gone. One with the number of this process may be of an earlier one that had it, or of another
 * thread: no two threads use them for the same.
 */
function isLeft(directory: string, name: string, use: Use): boolean {
  const [, of, pid] = NAME.exec(name) ?? []
  if (pid === undefined) return false
  const path = join(directory, name)
  if (lstatSync(path, { throwIfNoEntry: false })?.uid !== process.getuid?.()) return false
  return Number(pid) === process.pid ? of === use && !made.has(path) : !isRunning(Number(pid))
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return !isCode(error, 'ESRCH')
  }
}
