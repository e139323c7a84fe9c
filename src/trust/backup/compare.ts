import { createHash } from 'node:crypto'
import { digestsOf, type TableDigest } from '../../../projections/digest.js'
import { versions } from '../../../projections/index.js'
import { type Scratch, verify } from '../../../projections/verify.js'
import { eventsIn } from '../../ledger/events.js'
import type { Storage } from '../../storage/storage.js'
import type { BackupReport } from './verify.js'

/** What the read tables were held against, and which are not as they should be. */
export interface Compared {
  readonly digests: readonly TableDigest[]
  /** True where the digests were held against those of the backup; against a replay of the log otherwise, if at all. */
  readonly isAsBackedUp: boolean
  /** The read tables that this version makes in another way: held against a replay all the same. */
  readonly madeAnew: readonly string[]
  /** The read tables whose digest is another one. */
  readonly different: readonly string[]
}

/**
 * Holds the live read tables of a log that was restored up to a position against the backup: each by its own digest, where that is of
 * the same position; one that this version makes in another way, and all where there are none, by those of a replay. `open` says where
 * that is made; without it there is none, and nothing is held against anything then.
 */
export async function comparedTables(
  storage: Storage,
  { end, header }: Pick<BackupReport, 'end' | 'header'>,
  through: number,
  open: (() => Promise<Scratch>) | null
): Promise<Compared> {
  const digest = () => createHash('sha256')
  const isAsBackedUp = end.tables?.position === through
  const known = isAsBackedUp ? (end.tables?.digests ?? []) : []
  const before = new Map(
    known
      .filter(({ table }) => header.projections[table] === versions[table])
      .map(({ table, sha256 }) => [table, sha256])
  )
  if (Object.keys(versions).every((table) => before.has(table))) {
    const digests = await storage.snapshot((live) => digestsOf(live, digest))
    const different = digests.filter(({ table, sha256 }) => before.get(table) !== sha256).map(({ table }) => table)
    return { digests, isAsBackedUp, madeAnew: [], different }
  }
  if (!open) return { digests: [], isAsBackedUp: false, madeAnew: [], different: [] }
  const { tables } = await verify(storage, eventsIn(storage), digest, undefined, open)
  const digests = tables.map(({ table, rows, live }) => ({ table, rows, sha256: live }))
  const different = tables
    .filter(({ table, live, replayed }) => live !== (before.get(table) ?? replayed))
    .map(({ table }) => table)
  const madeAnew = tables.map(({ table }) => table).filter((table) => isAsBackedUp && !before.has(table))
  return { digests, isAsBackedUp, madeAnew, different }
}
