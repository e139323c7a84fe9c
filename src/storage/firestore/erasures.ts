import { slices } from '../../limits.js'
import type { Erasure } from '../storage.js'
import type { Client } from './client.js'
import { EVENTS, eventId } from './layout.js'
import { PARTS_FIELD, partIdsOf, withoutParts } from './parts.js'
import type { Write } from './writes.js'

const ERASURES_MAX = 50

/** Takes texts out of the events of the log below `parent`, with the parts that they were in. */
export async function eraseTexts(client: Client, parent: string, erasures: readonly Erasure[]): Promise<void> {
  for (const some of slices(erasures, ERASURES_MAX)) {
    const { documents } = await client.get([...new Set(some.map((one) => pathOf(parent, one)))])
    const parts = new Map(documents.map((document) => [document.path, partIdsOf(document)]))
    // A document comes once in a commit: its two texts go one after the other.
    for (const part of ['who', 'payload'] as const) {
      const writes = some
        .filter((one) => one.part === part && parts.has(pathOf(parent, one)))
        .flatMap((one) => erased(parent, one, parts.get(pathOf(parent, one))?.get(part) ?? []))
      if (writes.length > 0) await client.commit(writes)
    }
  }
}

function erased(parent: string, erasure: Erasure, partIds: readonly string[]): readonly Write[] {
  const { part, text } = erasure
  // What says something of the text goes with it.
  const told = part === 'who' ? { address: undefined } : { bytes: Buffer.byteLength(text ?? '') }
  const named = partIds.length > 0 && { [`${PARTS_FIELD}.${part}`]: undefined }
  const fields = { [part]: text, [`${part}Salt`]: null, ...told, ...named }
  return [{ update: pathOf(parent, erasure), fields }, ...withoutParts(parent, partIds)]
}

function pathOf(parent: string, { event }: Erasure): string {
  return `${parent}/${EVENTS}/${eventId(event.stream, event.version)}`
}
