import { link, seal } from '../../src/log/chain.js'
import type { Head, StoredEvent } from '../../src/log/event.js'
import type { Commit, RowOp, Storage, TableSpec } from '../../src/storage/storage.js'

type EventPart = Partial<
  Pick<StoredEvent, 'stream' | 'type' | 'version' | 'commandId' | 'at' | 'payload' | 'actorId' | 'tokenId' | 'who'>
>

/** A commit of these events, each said only as far as it matters, and row changes behind a head. */
export function commitAfter(after: Head, parts: readonly EventPart[], ops: readonly RowOp[] = []): Commit {
  const events: StoredEvent[] = []
  let head = after
  for (const part of parts) {
    const position = head.position + 1
    const event = {
      position,
      stream: `thing-${position}`,
      version: 1,
      type: 'ThingHappened',
      schema: 1,
      at: '2026-01-02T03:04:05.678Z',
      commandId: `command-${position}`,
      actorId: 'actor',
      tokenId: null,
      requestId: null,
      correlationId: null,
      causation: null,
      who: seal('{"address":null,"name":"actor"}'),
      payload: seal('{}'),
      ...part
    }
    const chain = link(head.chain, event)
    events.push({ ...event, chain })
    head = { ...head, position, chain, at: event.at }
  }
  return { after, events, ops, head }
}

/** Commits row changes behind whatever the log's end is. */
export async function change(storage: Storage, ...ops: readonly RowOp[]): Promise<void> {
  const outcome = await storage.commit(commitAfter(await storage.head(), [{}], ops))
  if (outcome !== 'committed') throw new Error('The commit was stale.')
}

/** Puts rows into a table. */
export function puts(table: TableSpec, rows: readonly { readonly id: string }[]): readonly RowOp[] {
  // The rows that these tests make are rows of the table that they name.
  return rows.map((row) => ({ op: 'put', table, row }) as RowOp)
}
