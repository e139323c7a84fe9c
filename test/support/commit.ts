import { randomUUID } from 'node:crypto'
import { systemCaller } from '../../commands/people/user/system.js'
import type { NewEvent } from '../../src/log/event.js'
import type { RowOp, Storage } from '../../src/storage/storage.js'
import { appendEvents, projected } from './append.js'

/** Commits an event that no command decides, the first of its stream, with the rows that it makes or, where given, others. */
export async function commitEvent(storage: Storage, event: NewEvent, rows?: readonly RowOp[]): Promise<void> {
  const { userId: actorId, name: actorName } = systemCaller
  const cause = { actorId, actorName, tokenId: null, address: null, requestId: null }
  const happening = { events: [event], cause, commandId: randomUUID(), now: Date.now() }
  await appendEvents(storage, happening, { ops: (events) => rows ?? projected(events) })
}
