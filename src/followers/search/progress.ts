import { z } from 'zod'
import type { Head } from '../../log/event.js'

/** How far an index is. Absent of an index that is new. */
const progress = z.object({
  /** The read tables that it was made from. */
  generation: z.number(),
  /** The event up to which everything is in it, with its chain; while it is filled, where the log ended when that began. */
  position: z.number(),
  chain: z.string(),
  /** How far the log was gone through while it is filled; null from then on. */
  filled: z.number().nullable(),
  /** The last erasure whose words may still be in free parts of it; null where nothing is left of any. */
  remnantsOf: z.number().nullable()
})
export type Progress = z.infer<typeof progress>

/** A progress as the file holds it; null where nothing is that can be read. */
export function progressOf(text: string): Progress | null {
  try {
    return progress.parse(JSON.parse(text))
  } catch {
    return null
  }
}

/** What a step works on: where the log ends as the read model knows it, and how far the index is. */
export interface Now {
  readonly head: Pick<Head, 'position' | 'chain' | 'generation'>
  readonly progress: Progress | null
}

/** How an index stands to the log: of another log or other read tables, being filled, behind, or with something left to sweep. */
export function indexState({ progress, head }: Now): 'other' | 'filling' | 'behind' | 'unclean' | 'current' {
  if (progress?.generation !== head.generation || progress.position > head.position) return 'other'
  if (progress.position === head.position && progress.chain !== head.chain) return 'other'
  if (progress.filled !== null) return 'filling'
  if (progress.position < head.position) return 'behind'
  return progress.remnantsOf === null ? 'current' : 'unclean'
}

/** False for an index that is still to be made, or being filled. */
export function isMade(now: Now): boolean {
  return !['other', 'filling'].includes(indexState(now))
}

/** The events up to here are in an index, as it says of itself; 0 while it is being made. */
export function reached(progress: Progress | null): number {
  return progress?.filled === null ? progress.position : 0
}
