import { readFileSync } from 'node:fs'

/** How many files and connections together this process may have open; infinity where the system does not say. */
export function openFilesMax(): number {
  try {
    const [, max] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return Number(max ?? Number.POSITIVE_INFINITY)
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
