import { randomUUID } from 'node:crypto'
import { codec } from '../../../commands/index.js'
import { erasureEvents } from '../../../commands/log/erasure/events.js'
import { tombstonesTable } from '../../../projections/tombstones.js'
import { deletionOf, kindOf, oldestDeleted, type TombstoneRow } from '../../../queries/tombstones.js'
import { type Ledger, systemOrigin } from '../../ledger/ledger.js'
import { giveWay } from '../../lib/turns.js'
import { decoded } from '../../log/codec.js'
import { pagesOf, positionAt } from '../../log/logQuery.js'
import { eventsAt } from '../../log/pages.js'
import type { PositionRange } from '../../storage/storage.js'
import { carryOut, payloadsOf, planDeleted } from './erase.js'

const PAGE = 200
const DAY_MS = 86_400_000

/** What a run of the retention has erased. */
export interface Expired {
  readonly names: number
  readonly payloads: number
}

/**
 * Erases what is older than so many days: names and addresses in the log, and everything that was deleted and not brought
 * back. Interrupted, it goes on at the next run.
 */
export async function eraseExpired(ledger: Ledger, days: number, now = ledger.now()): Promise<Expired> {
  const time = new Date(now - days * DAY_MS).toISOString()
  const through = await positionAt(ledger.storage, { time }, 'retention')
  const names = await eraseNames(ledger, through)
  let payloads = 0
  for await (const deletion of deletedThrough(ledger, through)) {
    // What went with a collection has gone with it here too.
    const last = await deletionOf(ledger.readModel, deletion.kind, deletion.subject)
    if (!last || last.position > through) continue
    const plan = await planDeleted(ledger, kindOf(deletion), deletion.subject)
    await carryOut(ledger, plan)
    payloads += payloadsOf(plan)
  }
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
async function eraseNames(ledger: Ledger, through: number): Promise<number> {
  const before = await lastRun(ledger)
  // It said what it would erase, and may have been cut off before it had.
  const left = before ? await eraseNamesIn(ledger, before) : 0
  const after = before?.through ?? 0
  if (after >= through) return left
  const data = { actorId: null, afterPosition: after, throughPosition: through }
  await ledger.run({ type: 'EraseNames', id: randomUUID(), data }, systemOrigin)
  return left + (await eraseNamesIn(ledger, { after, through }))
}

async function eraseNamesIn(ledger: Ledger, { after, through }: PositionRange): Promise<number> {
  let count = 0
  for await (const page of pagesOf(ledger, { from: { position: after + 1 }, to: { position: through } })) {
    const named = page.filter(({ whoErased }) => !whoErased)
    await ledger.storage.erase(named.map((event) => ({ event, part: 'who', text: null })))
    count += named.length
  }
  return count
}

async function lastRun(ledger: Ledger): Promise<PositionRange | null> {
  let last: PositionRange | null = null
  for await (const page of pagesOf(ledger, { filter: { types: ['NamesErased'] } })) {
    for await (const events of eventsAt(ledger.storage, page)) {
      for (const event of events) {
        const { data } = decoded(event, codec)
        const { actorId, afterPosition, throughPosition } = erasureEvents.NamesErased.data.parse(data)
        if (actorId === null) last = { after: afterPosition, through: throughPosition }
      }
    }
  }
  return last
}
