import { randomUUID } from 'node:crypto'
import { codec } from '../../../commands/index.js'
import { erasureEvents } from '../../../commands/log/erasure/events.js'
import { tombstonesTable } from '../../../commands/records/undelete/table.js'
import { deletionOf, kindOf, oldestDeleted, type TombstoneRow } from '../../../queries/tombstones.js'
import { HubError } from '../../errors.js'
import { type Ledger, systemOrigin } from '../../ledger/ledger.js'
import { giveWay } from '../../lib/turns.js'
import { decoded } from '../../log/codec.js'
import { eventsOf, positionAt } from '../../log/logQuery.js'
import { carryOut, type Erasing, planDeleted } from './erase.js'
import { type Erased, eraseNames, finishErasures } from './finish.js'
import { eraseRunResults } from './runResults.js'

const PAGE = 200
const DAY_MS = 86_400_000

/**
 * Erases what is older than so many days: names and addresses in the log, and everything that was deleted and not brought
 * back. Interrupted, as by `signal`, with whose reason it rejects, it goes on at the next run.
 */
export async function eraseExpired(
  ledger: Erasing,
  days: number,
  now = ledger.now(),
  signal?: AbortSignal
): Promise<Erased> {
  const left = await finishErasures(ledger, signal)
  // Nothing is older than that, and times have four digits for the year.
  const time = new Date(Math.max(0, now - days * DAY_MS)).toISOString()
  const through = await positionAt(ledger.storage, { time }, 'retention')
  const names = left.names + (await eraseNamesUpTo(ledger, through, signal))
  let { payloads } = left
  for await (const deletion of deletedThrough(ledger, through)) {
    signal?.throwIfAborted()
    // What went with a collection has gone with it here too.
    const last = await deletionOf(ledger.readModel, deletion.kind, deletion.subject)
    if (!last || last.position > through) continue
    try {
      const plan = await planDeleted(ledger, kindOf(deletion), deletion.subject)
      payloads += (await carryOut(ledger, plan, systemOrigin, signal)).payloads
    } catch (error) {
      // Somebody has brought it back meanwhile, or erased it.
      if (!(error instanceof HubError && (error.status === 404 || error.status === 409))) throw error
    }
  }
  payloads += await eraseRunResults(ledger, through, signal)
  return { names, payloads }
}

/** What is deleted since before a position, oldest first, some at a time. Whoever gets it may erase it. */
async function* deletedThrough({ readModel }: Ledger, through: number): AsyncGenerator<TombstoneRow, void> {
  const seen = new Set<string>()
  for (;;) {
    const rows = await oldestDeleted(readModel, seen.size + PAGE)
    const fresh = rows.filter(({ id, position }) => !seen.has(id) && position <= through)
    if (fresh.length === 0) return
    for (const row of fresh) {
      yield row
      // What was erased is in the list no more.
      if (await readModel.get(tombstonesTable, row.id)) seen.add(row.id)
      await giveWay()
    }
  }
}

/** Names and addresses of everybody up to a position, from where the run before left off. */
async function eraseNamesUpTo(ledger: Ledger, throughPosition: number, signal?: AbortSignal): Promise<number> {
  const afterPosition = await lastRun(ledger)
  if (afterPosition >= throughPosition) return 0
  const data = { actorId: null, afterPosition, throughPosition }
  await ledger.run({ type: 'EraseNames', id: randomUUID(), data }, systemOrigin)
  return eraseNames(ledger, data, signal)
}

/** Up to which position the names of everybody were erased last. */
async function lastRun(ledger: Ledger): Promise<number> {
  let last = 0
  for await (const event of eventsOf(ledger, { filter: { types: ['NamesErased'] } })) {
    const { actorId, throughPosition } = erasureEvents.NamesErased.data.parse(decoded(event, codec).data)
    if (actorId === null) last = throughPosition
  }
  return last
}
