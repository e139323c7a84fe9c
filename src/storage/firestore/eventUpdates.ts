import { slices } from '../../limits.js'
import { addressIn } from '../search.js'
import type { Erasure } from '../storage.js'
import type { Client } from './client.js'
import { Refused } from './errors.js'
import { EVENTS, eventId } from './layout.js'
import { withoutParts } from './parts.js'
import { encode, type Fields, indexable, integerOf, mapOf, textOf, textsOf } from './values.js'
import type { Document, Write } from './wire.js'

// Changes of events that are in the log: texts are taken out, and what an earlier version did not write is added.

const ERASURES_MAX = 50
/** So many events at a time are looked at for what they lack. */
const PAGE = 300

/** Takes texts out of the events of the log below `parent`, with the parts that they were in. */
export async function eraseTexts(client: Client, parent: string, erasures: readonly Erasure[]): Promise<void> {
  for (const some of slices(erasures, ERASURES_MAX)) {
    const { documents } = await client.get([...new Set(some.map((one) => nameOf(parent, one)))])
    const parts = new Map(documents.map(({ name, fields }) => [name, mapOf(fields.parts)]))
    // A document comes once in a commit: its two texts go one after the other.
    for (const part of ['who', 'payload'] as const) {
      const writes = some
        .filter((one) => one.part === part && parts.has(nameOf(parent, one)))
        .flatMap((one) => erased(parent, one, textsOf(parts.get(nameOf(parent, one))?.[part])))
      if (writes.length > 0) await client.commit(writes)
    }
  }
}

function erased(parent: string, erasure: Erasure, partIds: readonly string[]): readonly Write[] {
  const { part, text } = erasure
  const left = part === 'payload' && { bytes: encode(Buffer.byteLength(text ?? '')) }
  const fields = { [part]: encode(text), [`${part}Salt`]: encode(null), ...left }
  // What says something of the text goes with it.
  const told = part === 'who' ? 'address' : 'bytes'
  const mask = [part, `${part}Salt`, told, ...(partIds.length > 0 ? [`parts.${part}`] : [])]
  return [{ set: nameOf(parent, erasure), fields, mask, only: { exists: true } }, ...withoutParts(parent, partIds)]
}

function nameOf(parent: string, { event }: Erasure): string {
  return `${parent}/${EVENTS}/${eventId(event.stream, event.version)}`
}

/**
 * Gives every event in the log below `parent` what an earlier version did not write with it, where it has none yet: the field
 * by which its address is found, and where it is erased, the size of nothing, by which a header knows that.
 */
export async function addMissingFields(client: Client, parent: string): Promise<void> {
  for (let position = 0; ; ) {
    const where = [{ field: 'position', above: position }]
    const fields = ['position', 'who', 'address', 'bytes', 'payloadSalt']
    const { documents } = await client.query(parent, {
      collection: EVENTS,
      where,
      order: ['position'],
      limit: PAGE,
      fields
    })
    const last = documents.at(-1)
    if (!last) return
    const emptied = await emptiedOf(client, documents)
    const writes = documents.flatMap(({ name, fields, updateTime }): readonly Write[] => {
      const address = 'address' in fields ? null : addressIn(textOf(fields.who))
      const missing: Fields = {
        ...(address !== null && { address: encode(indexable(address)) }),
        ...(emptied.has(name) && { bytes: encode(0) })
      }
      const mask = Object.keys(missing)
      // As it was read: what was erased meanwhile must not come back.
      return mask.length > 0 ? [{ set: name, fields: missing, mask, only: { updateTime } }] : []
    })
    try {
      if (writes.length > 0) await client.commit(writes)
      position = integerOf(last.fields.position) ?? position
    } catch (error) {
      if (!(error instanceof Refused)) throw error
    }
  }
}

/** The names of the events whose payload is erased, and which do not say that it has no size. */
async function emptiedOf(client: Client, documents: readonly Document[]): Promise<ReadonlySet<string>> {
  const unsalted = documents.filter(({ fields }) => !('bytes' in fields) && textOf(fields.payloadSalt) === null)
  if (unsalted.length === 0) return new Set()
  // Something may have been left in its place: that is little.
  const whole = await client.get(unsalted.map(({ name }) => name))
  const isEmpty = ({ fields }: Document) => textOf(fields.payload) === null && !('payload' in mapOf(fields.parts))
  return new Set(whole.documents.filter(isEmpty).map(({ name }) => name))
}
