import type { Writable } from 'node:stream'
import { keysAtHand } from '../src/audit/sealKey.js'
import { restoreInto } from '../src/backup/into.js'
import { type ReadBackup, type Restored, readBackup } from '../src/backup/restore.js'
import { filesOf } from '../src/backup/sets.js'
import type { HubConfig } from '../src/config/types.js'
import type { Moment } from '../src/log/search.js'
import { CliError } from './errors.js'
import { type ProgressLine, progressLine } from './progress.js'

interface RestoreAsked {
  /** The last moment; all by default. */
  readonly until?: Moment | undefined
  readonly replays?: boolean
  /** Where it is shown how far it is. */
  readonly stderr: Writable & { readonly isTTY?: boolean }
  readonly notice: (text: string) => void
  /** Ends it between two steps of it, with its reason: what was restored stays, and can be continued. */
  readonly signal?: AbortSignal | undefined
}

/** Reads a backup through, a file or a directory, and takes it into the database of a configuration. Throws `BackupError`. */
export async function restoreFrom(
  config: HubConfig,
  source: string,
  { until, replays, stderr, notice, signal }: RestoreAsked
): Promise<{ readonly backup: ReadBackup; readonly restored: Restored }> {
  const keys = keysAtHand(config.audit)
  const progressOf =
    ({ at }: ProgressLine) =>
    (position: number) => {
      signal?.throwIfAborted()
      at(position)
    }
  const reading = progressLine(stderr, 'Reading', null)
  const files = await filesOf(source)
  const backup = await readBackup(files, keys, until, progressOf(reading)).finally(reading.done)
  const restoring = progressLine(stderr, 'Restoring', backup.through)
  const manner = { replays, notice, progress: progressOf(restoring) }
  return { backup, restored: await restoreInto(config, backup, manner).finally(restoring.done) }
}

/** Throws a `CliError` where read tables are not what they should be after a restore. */
export function requireSameTables({ different, isAsBackedUp }: Restored): void {
  if (different.length > 0)
    throw new CliError(
      `Everything is restored, but these read tables are not as ${isAsBackedUp ? 'they were when it was backed up' : 'the log says'}: ${different.join(', ')}. Run \`hub projections verify\`.`
    )
}
