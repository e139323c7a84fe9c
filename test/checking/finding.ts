/**
 * What can be wrong with a history:
 * - `lost`: acknowledged or shown, and not in the log
 * - `stale`: an answer older than it may be, or of no state at all
 * - `twice`: in the log twice, or though it was refused
 * - `disorder`: in the log in another order than in time
 * - `gap`, `repeat`: a follower was not told of something, or twice
 * - `letIn`, `keptOut`: a token was let in that was revoked, or refused while it was in force
 * - `overspent`: a budget or a secret gave more than it had, or refused what it had
 * - `broken`: the log is not whole
 * - `failure`: an answer was 5xx and not 503
 */
export const FINDING_KINDS = [
  ...(['lost', 'stale', 'twice', 'disorder', 'gap', 'repeat', 'letIn', 'keptOut', 'overspent'] as const),
  ...(['broken', 'failure'] as const)
] as const
export type FindingKind = (typeof FINDING_KINDS)[number]

/** One thing that is wrong; `text` names the entries of the history or the positions of the log. */
export interface Finding {
  readonly kind: FindingKind
  readonly text: string
}
