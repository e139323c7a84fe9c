import { randomUUID } from 'node:crypto'
import { migrate } from '../../migrations/migrate.js'
import { type OpenLedger, openLedger } from '../../src/app/openLedger.js'
import { editorOrigin } from '../../src/ledger/ledger.js'
import type { NewEvent } from '../../src/log/event.js'
import type { Storage } from '../../src/storage/storage.js'
import { appendEvents, projected } from '../support/append.js'

const cause = { actorId: 'system', actorName: 'system', tokenId: null, address: null, requestId: null }

/** A ledger on an empty log. */
export async function newLedger(storage: Storage): Promise<OpenLedger> {
  await migrate(storage)
  return openLedger(storage, () => null)
}

/** Writes events as they stand, also such as no command makes any more; with `isShown` false the read tables never hear of them. */
export async function append(
  { storage, readModel }: Pick<OpenLedger, 'storage' | 'readModel'>,
  events: readonly NewEvent[],
  isShown = true
): Promise<number> {
  const versions = new Map<string, number>()
  for (const stream of new Set(events.map((event) => event.stream))) {
    versions.set(stream, await readModel.lastVersion(stream))
  }
  const happening = { events, cause, commandId: randomUUID(), now: Date.now() }
  const { position } = await appendEvents(storage, happening, { versions, ...(isShown && { ops: projected }) })
  await readModel.current()
  return position
}

/** What was read of a log: how often it was asked, and how many bytes of texts it gave. */
interface Reading {
  questions: number
  bytes: number
}

/** The same log, and what is read through it. */
export function counting(storage: Storage): { readonly storage: Storage; readonly reading: Reading } {
  const reading = { questions: 0, bytes: 0 }
  const counted: Storage = {
    ...storage,
    async readAt(positions) {
      reading.questions++
      const events = await storage.readAt(positions)
      for (const { payload } of events) reading.bytes += payload.text?.length ?? 0
      return events
    },
    searchLog(...asked) {
      reading.questions++
      return storage.searchLog(...asked)
    },
    lastOf(...asked) {
      reading.questions++
      return storage.lastOf(...asked)
    }
  }
  return { storage: counted, reading }
}

/** The command that changes a document's text. */
export async function write(
  ledger: Pick<OpenLedger, 'run'>,
  id: string,
  collectionId: string,
  content: string
): Promise<number> {
  const text = { name: 'Notes', content, marker: null }
  const command = { type: 'UpdateDocument', id, collectionId, folderId: null, content: text } as const
  return (await ledger.run(command, editorOrigin)).position
}
