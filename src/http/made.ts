import type { Hub } from '../app/hub.js'
import type { Outcome } from '../log/decision.js'
import { streamAt } from '../records/history/priorOutcome.js'
import type { Columns, ReadStore, Row, TableSpec } from '../storage/storage.js'

/**
 * The row that a command has made, in a stream of this kind; where the request repeats one, as it was when it was made. Null where
 * it is erased since.
 */
export async function madeRow<C extends Columns>(
  { ledger: { readModel, storage } }: Hub,
  { repeats }: Pick<Outcome, 'repeats'>,
  kind: string,
  table: TableSpec<C>,
  id: string
): Promise<Row<C> | null> {
  if (!repeats) return readModel.get(table, id)
  const { subject, position } = repeats
  if (subject === null) return null
  const then: Pick<ReadStore, 'get'> = await streamAt(storage, `${kind}-${subject}`, position)
  return then.get(table, subject)
}
