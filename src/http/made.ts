import type { Hub } from '../app/hub.js'
import { errors } from '../errors.js'
import type { Outcome } from '../ledger/decision.js'
import { streamAt } from '../records/history/priorOutcome.js'
import type { Columns, Row, TableSpec } from '../storage/storage.js'

/**
 * The row that a command has made, in a stream of this kind; where the request repeats one, as it was when it was made, and 410 where
 * that is erased since.
 */
export async function madeRow<C extends Columns>(
  { ledger: { readModel, storage } }: Hub,
  { repeats }: Pick<Outcome, 'repeats'>,
  kind: string,
  table: TableSpec<C>,
  id: string
): Promise<Row<C>> {
  const subject = repeats ? repeats.subject : id
  const read = repeats ? await streamAt(storage, `${kind}-${subject}`, repeats.position) : readModel
  const row = subject === null ? null : await read.get(table, subject)
  if (!row) throw errors.answerErased()
  return row
}
