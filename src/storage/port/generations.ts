import type { RowOp } from './rows.js'

/**
 * How far a generation of the read tables has come: the events up to `position` are in it, as `label` projects them. `label` is
 * empty where nobody can go on: tables that are being made, were dropped, or were left in the middle of a change. `builder` is
 * drawn anew whenever the generation passes to somebody else; null until somebody has it.
 */
export interface Build {
  readonly position: number
  readonly label: string
  readonly builder: string | null
}

/** A builder's right to change a generation: it holds as long as the build is still that builder's, and at that position. */
export interface Fence {
  readonly generation: number
  readonly builder: string
  readonly position: number
}

/** How a generation becomes the live one: filled under this fence; `left` is the label of the one that was live until then. */
export interface Switch {
  readonly fence: Fence
  readonly left: string
}

/** Where read tables are made anew beside those that are live. */
export interface GenerationStore {
  /**
   * Empty tables of a generation, at position 0, and the builder that may fill them; what was there under that number is
   * dropped first. Throws `BuildLost`, with nothing changed, where the generation is live, or its builder is not `over` any
   * more: what `buildOf` said, null for none.
   */
  createGeneration(generation: number, over: string | null, label: string): Promise<string>
  /**
   * A new builder in place of `over`, which can change nothing from then on; what it has sent before is done or will never be.
   * Throws `BuildLost` as `createGeneration` does.
   */
  takeOver(generation: number, over: string | null): Promise<Build & { readonly builder: string }>
  /** Throws `BuildLost` as `createGeneration` does. */
  dropGeneration(generation: number, over: string | null): Promise<void>
  /**
   * Applies row changes to a generation that nobody reads yet, which brings it up to `position`, in one transaction where the
   * database has one for any number of rows. Throws `BuildLost` where the fence does not hold, and then changes nothing.
   */
  apply(fence: Fence, ops: readonly RowOp[], position: number): Promise<void>
  /**
   * So many changes are best given to `apply` at a time: the more there are, the less often a row is written that changes
   * often, and the longer other writers wait where a database has one at a time.
   */
  readonly changesAtOnce: number
  /** How far a generation has come; null for one of which nothing is known. */
  buildOf(generation: number): Promise<Build | null>
}

/** Somebody else has taken over, switched or dropped a generation that was to be changed; nothing of it was changed. */
export class BuildLost extends Error {
  override readonly name = 'BuildLost'
  constructor(
    readonly generation: number,
    options?: ErrorOptions
  ) {
    super(
      `Generation ${generation} of the read tables was taken over by another process, or is live. Nothing was changed in it; that process finishes it.`,
      options
    )
  }
}
