import { runResults } from '../../../commands/records/runResult/decide.js'
import { errors } from '../../errors.js'
import { type Ledger, systemOrigin } from '../../ledger/ledger.js'
import { type EventHeader, subjectOf } from '../../log/event.js'
import { pagesOf } from '../../log/logQuery.js'
import { commentsOn, logErasedStreams } from './comments.js'
import type { Plan } from './erase.js'
import { eraseTold, whileNobodyErases } from './finish.js'
import { unerased } from './unerased.js'

const KIND = 'runresult'
const MAKES = ['RunResultShared', 'RunResultImported']
const DELETED = 'RunResultDeleted'
/** Where it is noted up to which deletion of a run result nothing of what is deleted is left. */
const KEY = 'run-results-erased'

/**
 * What is to be erased of a deleted run result, with what was said about it. 409 for one that is still there, 404 where the log holds
 * nothing of it.
 */
export async function planRunResult(ledger: Ledger, id: string): Promise<Plan> {
  if (await ledger.readModel.get(runResults.table, id)) throw errors.notDeletedYet()
  const stream = `${KIND}-${id}`
  const payloads = await unerased(ledger, stream)
  if (payloads.length === 0) throw errors.notFound(runResults.title)
  return { kind: KIND, id, payloads, names: [], comments: await commentsOn(ledger, [stream]) }
}

/**
 * Erases what was deleted of run results up to a position, from where the run before left off: they never come back, so nothing is
 * looked at twice. Returns how many payloads went. Interrupted, as by `signal`, with whose reason it rejects, the next run goes on.
 */
export async function eraseRunResults(ledger: Ledger, through: number, signal?: AbortSignal): Promise<number> {
  const { storage } = ledger
  const noted = await storage.state.get(KEY)
  const { position: head } = await storage.head()
  const after = Number(noted?.text ?? 0)
  // A log that went back goes on in another way.
  const range = { from: { position: after > head ? 1 : after + 1 }, to: { position: through } }
  let mark = noted?.mark ?? null
  let payloads = 0
  for await (const page of pagesOf(ledger, { filter: { types: [DELETED] }, ...range })) {
    signal?.throwIfAborted()
    payloads += await eraseOf(ledger, page, signal)
    mark = await storage.state.put(KEY, String(page.at(-1)?.position), mark)
  }
  return payloads
}

/** Erases what these deletions have left, all of it told before anything goes. */
async function eraseOf(ledger: Ledger, deletions: readonly EventHeader[], signal?: AbortSignal): Promise<number> {
  const { storage } = ledger
  const { position: before } = await storage.head()
  const streams = deletions.map(({ stream }) => stream)
  const left = (await storage.lastOf(streams, MAKES, before)).filter(({ payloadErased }) => !payloadErased)
  const runs = left.map(({ stream, position }) => ({ kind: KIND, id: subjectOf(stream), payloads: [position] }))
  const comments = await commentsOn(
    ledger,
    left.map(({ stream }) => stream)
  )
  // The comments first: once a run result is gone, nobody looks for them.
  await logErasedStreams(ledger, [...comments, ...runs], systemOrigin)
  const { payloads } = await whileNobodyErases(ledger, () => eraseTold(ledger, before, undefined, signal), signal)
  return payloads
}
