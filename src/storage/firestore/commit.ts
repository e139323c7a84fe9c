import { ChangeTooLarge, type Commit } from '../storage.js'
import type { Client } from './client.js'
import { DEFERRED_ROWS_MIN, deferredOf } from './deferred.js'
import { Refused } from './errors.js'
import { buildPath, holdOf, switchWrites } from './generations.js'
import { commitWrites, continues, type LogEnd } from './head.js'
import type { Layout } from './layout.js'
import { eventWrites } from './log.js'
import type { KnownParts } from './parts.js'
import { resolveStored } from './rowChanges.js'
import { mayMissRow, noteParts, present, rowWrites } from './rows.js'
import { requestSize, type Write } from './writes.js'

const ATTEMPTS_MAX = 4

/** What commits need: where everything is, and what this process knows. */
export interface CommitContext {
  readonly client: Client
  readonly layout: Layout
  readonly end: LogEnd
  readonly known: KnownParts
}

/**
 * One request that happens as a whole or not at all: the document that owns the position, the events, the rows. It is the
 * only round trip, but for commits about unnamed rows or unique keys, which ask first, and very large ones, which
 * defer changes.
 */
export async function commitTo(context: CommitContext, commit: Commit): Promise<'committed' | 'stale'> {
  const { client, layout, known } = context
  const { after, events, ops, head, switch: to } = commit
  let end = await context.end.at(after)
  if (!end) return 'stale'
  if (events.length === 0) throw new Error('Rows change with an event.')

  const parent = layout.generation(head.generation)
  const { changes, clash } = await resolveStored({ client, parent, known }, ops)
  if (clash !== null) {
    // Where somebody else has written meanwhile, it is with their rows, which this commit was not decided on.
    if (!continues(after, (await context.end.read()).head)) return 'stale'
    throw new Error(clash)
  }
  const named = changes.filter(({ isNamed }) => isNamed)
  const deferred = changes.length - named.length > DEFERRED_ROWS_MIN ? await deferredOf(parent, ops, named) : null
  let rows = await rowWrites(parent, deferred ? named : changes, known)
  const logged = await Promise.all(events.map((event) => eventWrites(layout.log, event)))
  const hold = to && holdOf(client, buildPath(layout.aside, to.fence.generation), to.fence)
  const before = { generation: after.generation, position: after.position, label: to?.left ?? '' }

  for (let attempt = 1; ; attempt++) {
    // Read anew each time: where the fence does not hold any more, this throws.
    const switching = to && hold ? switchWrites(layout.aside, before, to.fence, await hold.updateTime()) : []
    const owning = commitWrites(layout.log, end, head, deferred)
    const writes = [...owning, ...switching, ...logged.flat(), ...rows.flatMap((row) => row.writes)]
    requireSize(client, writes)
    const refused = await client.commit(writes).then(() => null, refusal)
    if (!refused) {
      if (deferred) await context.end.read()
      noteParts(known, rows)
      return 'committed'
    }
    end = await context.end.read()
    if (!continues(after, end.head)) return 'stale'
    // Nobody else has written: so it is one of our own conditions.
    if (refused.why === 'contended' || attempt === ATTEMPTS_MAX) throw refused
    if (refused.why === 'exists' && !to)
      throw new Error('A version that an event has is in its stream already.', { cause: refused })
    if (mayMissRow(refused)) rows = await present(client, rows)
  }
}

function refusal(error: unknown): Refused {
  if (error instanceof Refused) return error
  throw error
}

/** Throws where one request cannot hold what is to be written together. */
function requireSize(client: Client, writes: readonly Write[]): void {
  if (requestSize(writes) > client.requestBytesMax) {
    throw new ChangeTooLarge('This is more than the database can take in one change.')
  }
}
