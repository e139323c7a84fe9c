import type { Part } from './forms.js'
import type { Kind } from './records.js'

/** What somebody has changed of a record and not saved. */
export interface Draft {
  readonly kind: Kind
  readonly id: string
  /** When it was last changed, in milliseconds. */
  readonly at: number
  /** When the record that it began with was last changed. */
  readonly since: string
  /** The fields that are changed, as they were before, and as they are. */
  readonly base: Part
  readonly mine: Part
}

/** A draft as it is kept: how long its text is, and when it was last changed. */
export interface Kept {
  readonly key: string
  readonly length: number
  readonly at: number
}

/** What a tab keeps of drafts: a browser gives it some five million characters. */
const DRAFTS_MOST = { count: 20, length: 4_000_000 } as const

/**
 * Which of these drafts have to go so that one of this length can be kept: the oldest, until there is room. Null where there is no
 * room for it at all.
 */
export function displaced(
  kept: readonly Kept[],
  { key, length }: Pick<Kept, 'key' | 'length'>,
  most: { readonly count: number; readonly length: number } = DRAFTS_MOST
): readonly string[] | null {
  if (length > most.length) return null
  const others = kept.filter((one) => one.key !== key).sort((a, b) => b.at - a.at)
  let sum = length
  const staying = others.findIndex((one, index) => {
    sum += one.length
    return index + 1 >= most.count || sum > most.length
  })
  return staying < 0 ? [] : others.slice(staying).map((one) => one.key)
}
