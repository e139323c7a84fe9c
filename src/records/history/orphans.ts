import { environmentsTable } from '../../../commands/records/environment/table.js'
import type { Ledger } from '../../ledger/ledger.js'
import { slices } from '../../limits.js'
import { pagesOf } from '../../log/logQuery.js'
import type { Value } from '../../storage/storage.js'
import { changesAt } from './fold.js'

/** So many environments are asked about at once. */
const TOGETHER = 500
/** What says below which environment one stands, or that it is gone. */
const TYPES = ['Created', 'Updated', 'Restored', 'Deleted'].map((what) => `Environment${what}`)

/**
 * The environments that stood below others when these were deleted, and the position of the deletion, which does not name them.
 * `deletions` are positions, ascending; of environments that are gone by now only `gone` are looked at.
 */
export async function* orphansOf(
  { storage, readModel }: Ledger,
  deletions: readonly number[],
  gone: readonly string[]
): AsyncGenerator<{ readonly id: string; readonly position: number }, void> {
  const deleted = new Set(deletions)
  const [first, last] = [deletions[0], deletions.at(-1)]
  if (first === undefined || last === undefined) return
  const rows = await readModel.outline(environmentsTable, 'byName', [])
  const touched = rows.filter(({ revision }) => revision >= first).map(({ id }) => id)
  for (const ids of slices([...new Set([...touched, ...gone])], TOGETHER)) {
    const streams = ids.map((id) => `environment-${id}`)
    const positions = new Set(deleted)
    for (const { position } of await storage.lastOf(streams, TYPES, first)) positions.add(position)
    const between = { filter: { streams, types: TYPES }, from: { position: first }, to: { position: last } }
    for await (const page of pagesOf({ storage }, between)) for (const { position } of page) positions.add(position)
    const parents = new Map<string, Value | undefined>()
    const events = [...positions].map((position) => ({ position }))
    for await (const { position, ops } of changesAt(storage, events)) {
      for (const op of ops) {
        if (op.op === 'put') parents.set(op.row.id, op.row.parentUuid)
        else if (op.op === 'patch') parents.set(op.id, op.set.parentUuid)
        else if (op.op === 'delete') parents.delete(op.id)
        else if (op.op === 'nullify')
          for (const [id, parent] of parents) {
            if (parent !== op.value) continue
            parents.delete(id)
            if (deleted.has(position)) yield { id, position }
          }
      }
    }
  }
}
