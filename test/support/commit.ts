import { randomUUID } from 'node:crypto'
import { codec } from '../../commands/index.js'
import { systemCaller } from '../../commands/user/system.js'
import { project } from '../../projections/index.js'
import { decoded } from '../../src/log/codec.js'
import type { NewEvent } from '../../src/log/event.js'
import { placed } from '../../src/log/place.js'
import type { RowOp, Storage } from '../../src/storage/storage.js'

/** Commits an event that no command decides, the first of its stream, with the rows that it makes or, where given, others. */
export async function commitEvent(storage: Storage, event: NewEvent, rows?: readonly RowOp[]): Promise<void> {
  const { userId: actorId, name: actorName } = systemCaller
  const cause = { actorId, actorName, tokenId: null, address: null, requestId: null }
  const after = await storage.head()
  const events = placed({ events: [event], cause, commandId: randomUUID(), now: Date.now() }, after, codec, new Map())
  const last = events.at(-1)
  if (!last) throw new Error('An event has a place.')
  const head = { ...after, position: last.position, chain: last.chain, at: last.at }
  const ops = rows ?? events.flatMap((one) => project(decoded(one, codec)))
  if ((await storage.commit({ after, events, ops, head })) === 'stale') throw new Error('The commit was stale.')
}
