import { migrationsTable } from './tables.js'

/**
 * Of the tables whose names begin with a prefix, those of the log that has it: what begins with a longer prefix that a log of its own
 * has is that log's.
 */
export function ofPrefix(prefix: string, names: readonly string[]): readonly string[] {
  const { name: last } = migrationsTable
  const all = names.filter((name) => name.startsWith(prefix))
  const others = all
    .filter((name) => name.endsWith(last) && name.length > prefix.length + last.length)
    .map((name) => name.slice(0, -last.length))
  return all.filter((name) => !others.some((other) => name.startsWith(other)))
}
