import { createHash } from 'node:crypto'

/** A table by its columns, `name:type`, with camelCase names and values as a program has them. */
export interface Filled {
  readonly columns: string
  readonly rows: readonly Readonly<Record<string, unknown>>[]
}

/** The same UUID whenever it is asked for by the same word. */
export function uuid(word: string): string {
  const hex = createHash('sha256').update(word).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

export const OLD = '2024-03-05T10:20:30.000Z'
export const LATER = '2024-04-06T11:21:31.000Z'
/** Some days ago, to the second. */
export const daysAgo = (days: number) => `${new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 19)}.000Z`
export const SAVED = daysAgo(3)
