import { z } from 'zod'
import { type Command, codec } from '../../commands/index.js'
import { encoded } from '../../src/log/codec.js'
import { type NewEvent, subjectOf } from '../../src/log/event.js'
import type { LegacyTable } from './read.js'
import type { LegacySource } from './source.js'

const RECORDS_MAX = 100
const BYTES_MAX = 512 * 1024

/** Takes records into the log, in order; whatever is there already stays as it is. */
export type Take = (command: Command) => Promise<unknown>

export type Sink = ReturnType<typeof sinkOf>

/** Gathers records into commands of a bounded size. */
export function sinkOf(take: Take) {
  let records: NewEvent[] = []
  let bytes = 0
  const flush = async () => {
    if (records.length > 0) await take({ type: 'ImportRecords', records })
    records = []
    bytes = 0
  }
  return {
    /** Takes a record and says so, or refuses one that no event can hold: it would make every later run fail as well. */
    async add(source: LegacySource, table: LegacyTable, event: NewEvent): Promise<boolean> {
      const why = flawOf(event)
      if (why !== null) {
        source.refuse(table, subjectOf(event.stream), why)
        return false
      }
      records.push(event)
      bytes += JSON.stringify(event.data).length
      source.report(table).taken++
      if (records.length >= RECORDS_MAX || bytes >= BYTES_MAX) await flush()
      return true
    },
    flush,
    async end(event: NewEvent) {
      await flush()
      await take({ type: 'ImportRecords', records: [event] })
    }
  }
}

/** Why an event cannot be read back as it will be written; null where it can. */
function flawOf(event: NewEvent): string | null {
  const { type, schema, text } = encoded(event, codec)
  try {
    codec.decode(type, schema, text)
    return null
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error
    const [issue] = error.issues
    return `${issue?.path.join('.')}: ${issue?.message}`
  }
}
