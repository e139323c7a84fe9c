import { existsSync, statSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { grouped } from '../../lib/grouped.js'
import { LIMITS } from '../../limits.js'
import { BackupError } from './format.js'

/** A full backup and the increments behind it: files of a directory with one time in their names, numbered from 0. */
export interface BackupSet {
  /** When the full one was begun, in milliseconds. */
  readonly began: number
  readonly numbers: readonly number[]
}

const NAME = /^hub-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.(\d{5})\.backup$/
const PARTIAL = /^hub-\d{8}T\d{6}Z\.\d{5}\.backup\.[0-9a-f]{8}\.partial$/

/** The name of a file of a set: 0 is the full backup. */
export function nameIn(began: number, number: number): string {
  const time = `${new Date(began).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`
  return `hub-${time}.${String(number).padStart(5, '0')}.backup`
}

/** The sets in a directory, the oldest first. */
export async function setsIn(directory: string): Promise<readonly BackupSet[]> {
  const found = (await readdir(directory)).flatMap((name) => parsedName(name) ?? [])
  return [...grouped(found, ({ began }) => began)]
    .sort(([a], [b]) => a - b)
    .map(([began, files]) => ({ began, numbers: files.map(({ number }) => number).sort((a, b) => a - b) }))
}

/**
 * The files that make up a backup, in their order: of a directory, its newest set; of an increment, those before it and itself;
 * any other file stands alone. Throws `BackupError` where there is none, or one of a set is missing.
 */
export async function filesOf(path: string): Promise<readonly string[]> {
  if (!existsSync(path)) throw new BackupError(`File not found: ${path}`)
  if (statSync(path).isDirectory()) {
    const newest = (await setsIn(path)).at(-1)
    if (!newest) throw new BackupError(`There is no backup in ${path}.`)
    return filesIn(path, newest)
  }
  requireFile(path)
  const named = parsedName(basename(path))
  if (!named || named.number === 0) return [path]
  const [directory, sets] = [dirname(path), await setsIn(dirname(path))]
  const numbers = sets.find(({ began }) => began === named.began)?.numbers ?? []
  return filesIn(directory, { began: named.began, numbers: numbers.filter((number) => number <= named.number) })
}

/** Throws `BackupError` where what has that name is no file: a pipe or a device may never end, and is not replaced. */
export function requireFile(path: string): void {
  if (!statSync(path).isFile()) throw new BackupError(`${path} is no file. Name another one.`)
}

/** The files of a set, in their order. Throws `BackupError` that names the one that is missing. */
export function filesIn(directory: string, { began, numbers }: BackupSet): readonly string[] {
  numbers.forEach((number, i) => {
    if (number === i) return
    const last = nameIn(began, i - 1)
    throw new BackupError(
      i === 0
        ? `${join(directory, nameIn(began, 0))} is missing: the full backup that ${nameIn(began, number)} continues.`
        : `${join(directory, nameIn(began, i))} is missing, and there is ${nameIn(began, number)} behind it. What there is before the gap: hub backup restore ${join(directory, last)}.`
    )
  })
  return numbers.map((number) => join(directory, nameIn(began, number)))
}

/**
 * Removes the sets that were replaced by a newer one more than `keep_ms` ago, and nothing else. Of each the full backup goes
 * last, so what is left of it at any time can be restored. Returns the names of the full ones.
 */
export async function removeOld(directory: string, keep_ms: number, now: number): Promise<readonly string[]> {
  const sets = await setsIn(directory)
  const removed: string[] = []
  for (const [i, { began, numbers }] of sets.entries()) {
    const next = sets[i + 1]
    if (!next?.numbers.includes(0) || now - next.began <= keep_ms) continue
    for (const number of numbers.toReversed()) await rm(join(directory, nameIn(began, number)), { force: true })
    removed.push(nameIn(began, 0))
  }
  return removed
}

/** Removes what backups that were interrupted have left. Nobody else may write to the directory meanwhile. */
export async function removePartials(directory: string): Promise<void> {
  for (const name of await readdir(directory)) if (PARTIAL.test(name)) await rm(join(directory, name), { force: true })
}

/** True where a set has as many files as one may have. */
export function isFull(count: number): boolean {
  return count >= LIMITS.backupFiles.max
}

function parsedName(name: string): { readonly began: number; readonly number: number } | null {
  const found = NAME.exec(name)
  if (!found) return null
  const [, year, month, day, hour, minute, second, number] = found
  const began = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  return Number.isNaN(began) ? null : { began, number: Number(number) }
}
