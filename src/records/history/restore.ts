import type { PlacedRow } from '../../../commands/record.js'
import { kinds, type RestorableKind } from '../../../commands/records/kinds.js'
import { errors } from '../../errors.js'
import type { CommandOrigin, Ledger } from '../../ledger/ledger.js'
import { versionAt } from './history.js'
import { rowAt } from './past.js'

export interface RestoreOptions {
  /** The revisions that the record may have now; any by default. */
  readonly ifRevision?: readonly number[] | undefined
  /** True for what the record may be put below again, where whoever restores sees it; all by default. */
  readonly seesParent?: (id: string) => boolean
}

/**
 * Gives a record the content of one of its versions, by the command that a client would send: the same rules hold, it is one
 * more event, and it can be taken back in the same way. Returns the row that is then there, with its place. 404 for a record
 * that is deleted or a version that there is not, 400 for a version in which the record was gone or is erased. Where the folder
 * or the parent environment of the version is gone, or may not be seen, the present one stays.
 */
export async function restore(
  ledger: Ledger,
  origin: CommandOrigin,
  kind: RestorableKind,
  id: string,
  version: number,
  { ifRevision, seesParent = () => true }: RestoreOptions = {}
): Promise<PlacedRow> {
  const record = kinds[kind]
  const { title, table } = record
  const now = await ledger.readModel.get(table, id)
  if (!now) throw errors.notFound(title)
  const { header, isTaken } = await versionAt(ledger, kind, id, version)
  const past = isTaken ? null : await rowAt(ledger, kind, id, header.position)
  if (!past) throw errors.versionEmpty(version)
  const parent = record.parentOf(past)
  const isSeen = parent === null || seesParent(parent)
  const parentTable = record.isMember ? kinds.folder.table : table
  const hasParent = isSeen && (parent === null || (await ledger.readModel.get(parentTable, parent)) !== null)
  const command = record.restoring(past, now, hasParent, ifRevision)
  const { row, place } = await ledger.run(command, { ...origin, causation: header.position }, { table, id })
  if (!row) throw errors.notFound(title)
  return { row, place }
}
