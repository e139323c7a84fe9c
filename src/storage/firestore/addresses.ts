import { addressIn } from '../search.js'
import type { Client } from './client.js'
import { Refused } from './errors.js'
import { EVENTS } from './layout.js'
import { encode, type Fields, indexable, integerOf, mapOf, textOf } from './values.js'
import type { Document } from './wire.js'
import type { Write } from './writes.js'

const PAGE = 300

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
