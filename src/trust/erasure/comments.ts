import { z } from 'zod'
import type { Command } from '../../../commands/index.js'
import { aboutThings } from '../../../commands/talk/about.js'
import { DISCUSSED_KINDS, type DiscussedKind } from '../../../commands/talk/comment/events.js'
import type { CommandOrigin, Ledger } from '../../ledger/ledger.js'
import { giveWay } from '../../lib/turns.js'
import { slices } from '../../limits.js'
import { subjectOf } from '../../log/event.js'
import { kindIn } from '../../records/history/streams.js'
import { unerased } from './unerased.js'

/** So many events are told of in one commit, where each has an event of its own. */
const AT_ONCE = 200
const discussedKind = z.enum(DISCUSSED_KINDS)
/** What is discussed under another word than its streams have. */
const discussedAs: Readonly<Record<string, DiscussedKind>> = { runresult: 'runResult' }

/** A stream that goes, such as a comment, with the positions of its events whose payloads go. */
export interface ErasedStream {
  readonly kind: string
  readonly id: string
  readonly payloads: readonly number[]
}

/** What is about the records of these streams: the comments on them, and what encrypts those. */
export async function commentsOn(ledger: Ledger, streams: Iterable<string>): Promise<readonly ErasedStream[]> {
  const found: ErasedStream[] = []
  for (const stream of streams) {
    await giveWay()
    const word = kindIn(stream)
    const kind = discussedKind.safeParse(discussedAs[word] ?? word)
    if (!kind.success) continue
    const under = [kind.data, subjectOf(stream)]
    for (const [about, table] of Object.entries(aboutThings)) {
      for (const { id } of await ledger.readModel.list(table, 'byTarget', under, { body: false })) {
        found.push({ kind: about, id, payloads: await unerased(ledger, `${about}-${id}`) })
        await giveWay()
      }
    }
  }
  return found
}

/** Tells the log that these go: from then on they are nowhere but in payloads, which the caller erases. */
export async function logErasedStreams(
  ledger: Ledger,
  streams: readonly ErasedStream[],
  origin: CommandOrigin
): Promise<void> {
  const told = streams.map(({ kind, id, payloads }) => {
    const positions = payloads.toSorted((a, b) => a - b)
    return { type: 'ErasePayloads', id, data: { kind, id, positions } } as const
  })
  await runTogether(ledger, told, origin)
}

/** Runs commands, many in one commit. */
export async function runTogether(ledger: Ledger, commands: readonly Command[], origin: CommandOrigin): Promise<void> {
  for (const some of slices(commands, AT_ONCE)) await Promise.all(some.map((command) => ledger.run(command, origin)))
}
