import type { z } from 'zod'
import { sentOf } from '../../commands/records/fields.js'
import { livePageFields, liveServerFields } from '../../commands/records/live/fields.js'
import { emitImported } from '../../commands/takeover/events.js'
import { originOf } from './records.js'
import type { Sink } from './sink.js'
import type { LegacySource } from './source.js'
import type { People } from './users.js'

const KINDS = [
  ['live_servers', 'LiveServerImported', sentOf(liveServerFields)],
  ['live_pages', 'LivePageImported', sentOf(livePageFields)]
] as const
type Table = (typeof KINDS)[number][0]

/** Takes live servers and live pages over. The older hub took half a record, which clients cannot read: the rest is what the desktop begins with. */
export async function liveRecords(source: LegacySource, sink: Sink, people: People): Promise<void> {
  for (const [table, type, schema] of KINDS) {
    for await (const one of source.records(table)) {
      const { id, name, payload, deletionLocked } = one
      const content = contentIn(source, table, schema, id, payload)
      const data = { content: { ...content, name }, deletionLocked, origin: originOf(one, people) }
      await sink.add(source, table, emitImported(id, type, data))
    }
  }
}

/** The fields of a payload as they may be here; one that may not be as it is gets the default, and a note. */
function contentIn(
  source: LegacySource,
  table: Table,
  schema: (typeof KINDS)[number][2],
  id: string,
  payload: Readonly<Record<string, unknown>>
): object {
  const fields = Object.entries<z.ZodType>(schema.shape).filter(([field]) => field !== 'name')
  for (const field of Object.keys(payload))
    if (!Object.hasOwn(schema.shape, field)) source.leaveOut(table, `values of payload.${field}`)
  const read = fields.map(([field, of]) => {
    const { success, data } = of.safeParse(payload[field])
    if (success) return [field, data]
    source.report(table).notes.push(`${id}: its ${field} is none that can be here, and gets the default.`)
    return [field, of.parse(undefined)]
  })
  return Object.fromEntries(read.filter(([, value]) => value !== undefined))
}
