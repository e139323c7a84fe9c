import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { DISCUSSED_KINDS } from '../../commands/comment/events.js'
import { commentsTable } from '../../projections/comments.js'
import { kindIn } from '../history/own.js'
import type { CommandOrigin, Ledger } from '../ledger.js'
import { slices } from '../limits.js'
import { subjectOf } from '../log/event.js'
import { giveWay } from '../turns.js'
import { type Reference, unerased } from './references.js'

/** So many comments are told of in one go. */
const AT_ONCE = 200

const discussedKind = z.enum(DISCUSSED_KINDS)

/** A comment that goes, with the events whose payloads go. */
export interface ErasedComment {
  readonly id: string
  readonly payloads: readonly Reference[]
}

/** The comments on the records of these streams. */
export async function commentsOn(ledger: Ledger, streams: Iterable<string>): Promise<readonly ErasedComment[]> {
  const found: ErasedComment[] = []
  for (const stream of streams) {
    const kind = discussedKind.safeParse(kindIn(stream))
    if (!kind.success) continue
    const under = [kind.data, subjectOf(stream)]
    for (const { id } of await ledger.view.list(commentsTable, 'byTarget', under, { body: false })) {
      found.push({ id, payloads: await unerased(ledger, `comment-${id}`) })
      await giveWay()
    }
  }
  return found
}

/** Tells the log that these comments go: from then on they are nowhere but in payloads, which the caller erases. */
export async function tellOfComments(
  ledger: Ledger,
  comments: readonly ErasedComment[],
  origin: CommandOrigin
): Promise<void> {
  for (const some of slices(comments, AT_ONCE)) {
    const told = some.map(({ id, payloads }) => {
      const positions = payloads.map(({ position }) => position).sort((a, b) => a - b)
      return ledger.run({ type: 'ErasePayloads', id: randomUUID(), data: { kind: 'comment', id, positions } }, origin)
    })
    await Promise.all(told)
  }
}
