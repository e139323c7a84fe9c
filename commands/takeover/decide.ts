import { errors } from '../../src/errors.js'
import type { NewEvent } from '../../src/log/event.js'
import type { TableSpec } from '../../src/storage/storage.js'
import type { Deciders } from '../context.js'
import { SYSTEM_ID } from '../people/user/system.js'
import { tableOf } from '../snapshots.js'

export type ImportCommand =
  /** Records from an older hub, each as the event that begins its stream. Those that are here already stay as they are. */
  { readonly type: 'ImportRecords'; readonly records: readonly NewEvent[] }

/** Decides on records that are taken over: only the system account does that. */
export const importDeciders: Deciders<ImportCommand> = {
  async ImportRecords({ records }, { caller, read }) {
    if (caller.userId !== SYSTEM_ID) throw errors.forbidden()
    const known = new Set<string>()
    const byTable = new Map<TableSpec, Map<string, string>>()
    for (const { stream } of records) {
      const table = tableOf(stream)
      const id = stream.slice(stream.indexOf('-') + 1)
      if (table) byTable.set(table, (byTable.get(table) ?? new Map()).set(id, stream))
    }
    for (const [table, streams] of byTable) {
      for (const { id } of await read.getAll(table, [...streams.keys()], { body: false }))
        known.add(streams.get(id) ?? '')
    }
    return records.filter(({ stream }) => !known.has(stream))
  }
}
