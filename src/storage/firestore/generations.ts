import type { RowOp } from '../storage.js'
import type { Hold } from './builds.js'
import type { Client } from './client.js'
import type { KnownParts } from './knownParts.js'
import { clashOf, lookUpHolders, resolve } from './rowChanges.js'
import { mayMissRow, noteParts, present, type RowWrites, rowWrites } from './rowWrites.js'
import { requestSize, type Write } from './writes.js'

const WRITES_MAX = 400
const BYTES_MAX = 2 * 1024 * 1024
const AT_ONCE = 3

/** Removes everything below a document, whichever version of the hub has put it there, as long as it is held. */
export async function removeBelow(client: Client, parent: string, hold: Hold): Promise<void> {
  const collections = await client.collections(parent)
  await Promise.all(collections.map((collection) => removeCollection(client, parent, collection, hold)))
}

async function removeCollection(client: Client, parent: string, collection: string, hold: Hold): Promise<void> {
  for (;;) {
    const { documents } = await client.query(parent, { collection, limit: WRITES_MAX, fields: [] })
    const removals = documents.map(({ name }) => ({ remove: name }))
    if (removals.length > 0) await hold.commit(removals)
    if (documents.length < WRITES_MAX) return
  }
}

/**
 * Applies row changes to the generation below `parent`, which nobody reads yet, in as many requests as they need. What is
 * refused is refused before the first of them; after an outage between two of them the generation has to be created again.
 */
export async function applyBelow(
  client: Client,
  parent: string,
  ops: readonly RowOp[],
  known: KnownParts,
  commit: Hold['commit']
): Promise<void> {
  const changes = resolve(ops, await lookUpHolders(client, parent, ops, known))
  const clash = await clashOf(client, parent, changes)
  if (clash !== null) throw new Error(clash)
  const waiting = inBatches(
    await rowWrites(
      parent,
      changes.map(({ change }) => change),
      known
    )
  ).values()
  const worker = async () => {
    for (const batch of waiting) noteParts(known, await write(client, batch, commit))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

async function write(client: Client, batch: readonly RowWrites[], commit: Hold['commit']) {
  try {
    await commit(writesOf(batch))
    return batch
  } catch (error) {
    if (!mayMissRow(error)) throw error
    const rows = await present(client, batch)
    if (rows.length > 0) await commit(writesOf(rows))
    return rows
  }
}

/** Rows in the fewest batches that no limit is near to, each row whole in one of them. */
function inBatches(rows: readonly RowWrites[]): readonly (readonly RowWrites[])[] {
  const batches: RowWrites[][] = []
  let [batch, count, bytes]: [RowWrites[], number, number] = [[], 0, 0]
  for (const row of rows) {
    const size = requestSize(row.writes)
    if (batch.length === 0 || count + row.writes.length > WRITES_MAX || bytes + size > BYTES_MAX) {
      ;[batch, count, bytes] = [[], 0, 0]
      batches.push(batch)
    }
    batch.push(row)
    count += row.writes.length
    bytes += size
  }
  return batches
}

function writesOf(rows: readonly RowWrites[]): readonly Write[] {
  return rows.flatMap(({ writes }) => writes)
}
