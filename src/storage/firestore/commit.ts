import type { Commit } from '../storage.js'
import type { Client } from './client.js'
import { DEFERRED_ROWS_MIN, deferredOf } from './deferred.js'
import { Refused } from './errors.js'
import { requireFence, switchWrites } from './generations.js'
import { commitWrites, continues, type LogEnd } from './head.js'
import type { Layout } from './layout.js'
import { eventWrites } from './log.js'
import { resolveStored } from './rowChanges.js'
import { present, rowWrites } from './rows.js'

const ATTEMPTS_MAX = 4

/** What commits need: where everything is, and what this process knows. */
export interface CommitContext {
  readonly client: Client
  readonly layout: Layout
  readonly end: LogEnd
}

/**
 * One request that happens as a whole or not at all: the document that owns the position, the events, the rows. It is the
 * only round trip, but for commits about unnamed rows or unique keys, which ask first, and very large ones, which
 * defer changes.
 */
export async function commitTo(context: CommitContext, commit: Commit): Promise<'committed' | 'stale'> {
  const { client, layout } = context
  const { after, events, ops, head, switch: to } = commit
  let end = await context.end.at(after)
  if (!end) return 'stale'
  if (events.length === 0) throw new Error('Rows change with an event.')

  const place = { client, parent: layout.generation(head.generation) }
  const { changes, clash } = await resolveStored(place, ops)
  if (clash !== null) {
    // Where somebody else has written meanwhile, it is with their rows, which this commit was not decided on.
    if (!continues(after, (await context.end.read()).head)) return 'stale'
    throw new Error(clash)
  }
  const named = changes.filter(({ isNamed }) => isNamed)
  const isDeferring = changes.length - named.length > DEFERRED_ROWS_MIN
  const deferred = isDeferring ? await deferredOf(place.parent, ops, named) : null
  let rows = await rowWrites(place, deferred ? named : changes)
  const logged = await Promise.all(events.map((event) => eventWrites(layout.log, event)))
  const switching = to ? switchWrites(layout, after, to) : []

  for (let attempt = 1; ; attempt++) {
    const owning = commitWrites(layout.log, end, head, deferred)
    const writes = [...owning, ...switching, ...logged.flat(), ...rows.flat()]
    const refused = await client.commit(writes).then(() => null, refusal)
    if (!refused) {
      if (deferred) await context.end.read()
      return 'committed'
    }
    end = await context.end.read()
    if (!continues(after, end.head)) return 'stale'
    // Nobody else has written: so it is one of our own conditions.
    if (to) await requireFence(client, layout, to.fence, { cause: refused })
    if (refused.why === 'contended' || attempt === ATTEMPTS_MAX) throw refused
    if (refused.why === 'exists' && !to)
      throw new Error('A version that an event has is in its stream already.', { cause: refused })
    rows = await present(client, rows, refused)
  }
}

function refusal(error: unknown): Refused {
  if (error instanceof Refused) return error
  throw error
}
