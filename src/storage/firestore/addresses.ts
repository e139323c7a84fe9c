import { addressIn } from '../search.js'
import type { Client } from './client.js'
import { Refused } from './errors.js'
import { EVENTS } from './layout.js'
import { encode, indexable, integerOf, textOf } from './values.js'
import type { Write } from './writes.js'

const PAGE = 300

/** Gives every event in the log below `parent` the field by which its address is found, where it has none yet. */
export async function addAddresses(client: Client, parent: string): Promise<void> {
  for (let position = 0; ; ) {
    const where = [{ field: 'position', above: position }]
    const fields = ['position', 'who', 'address']
    const { documents } = await client.query(parent, {
      collection: EVENTS,
      where,
      order: ['position'],
      limit: PAGE,
      fields
    })
    const last = documents.at(-1)
    if (!last) return
    const writes = documents.flatMap(({ name, fields, updateTime }): readonly Write[] => {
      const address = addressIn(textOf(fields.who))
      if (address === null || 'address' in fields) return []
      // As it was read: what was erased meanwhile must not come back.
      return [{ set: name, fields: { address: encode(indexable(address)) }, mask: ['address'], only: { updateTime } }]
    })
    try {
      if (writes.length > 0) await client.commit(writes)
      position = integerOf(last.fields.position) ?? position
    } catch (error) {
      if (!(error instanceof Refused)) throw error
    }
  }
}
