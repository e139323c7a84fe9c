import type { RestorableKind } from '../../projections/departures.js'
import { kinds } from '../../queries/kinds.js'
import type { PlacedRow } from '../../queries/record.js'
import { errors } from '../errors.js'
import type { Agent, Ledger } from '../ledger.js'
import { things, versionAt } from './history.js'
import { rowAt } from './past.js'
import { above, restoring } from './rows.js'

export interface RestoreOptions {
  /** The revisions that the record may have now; any by default. */
  readonly ifRevision?: readonly number[] | undefined
  /** True for an environment that whoever restores may see; all by default. */
  readonly seesEnvironment?: (id: string) => boolean
}

/**
 * Gives a record the content of one of its versions, by the command that a client would send: the same rules hold, it is one
 * more event, and it can be taken back in the same way. Returns the row that is then there, with its place. 404 for a record
 * that is deleted or a version that there is not, 400 for a version in which the record was gone or is erased. Where the folder
 * or the parent environment of the version is gone, or may not be seen, the present one stays.
 */
export async function restore(
  ledger: Ledger,
  agent: Agent,
  kind: RestorableKind,
  id: string,
  version: number,
  { ifRevision, seesEnvironment = () => true }: RestoreOptions = {}
): Promise<PlacedRow> {
  const { table } = kinds[kind]
  const now = await ledger.view.get(table, id)
  if (!now) throw errors.notFound(things[kind])
  const { header, isTaken } = await versionAt(ledger, kind, id, version)
  const past = isTaken ? null : await rowAt(ledger, kind, id, header.position)
  if (!past) throw errors.invalid(`Version ${version} has no content to restore: choose another one.`)
  const parent = above(kind, past)
  const { table: parentTable } = kinds[kind === 'environment' ? 'environment' : 'folder']
  const isThere = parent !== null && (await ledger.view.get(parentTable, parent)) !== null
  const known = { folder: () => isThere, environment: (id: string) => isThere && seesEnvironment(id) }
  const command = restoring(kind, past, now, known, ifRevision)
  const { row, place } = await ledger.run(command, { ...agent, causation: header.position }, { table, id })
  if (!row) throw errors.notFound(things[kind])
  return { row, place }
}
