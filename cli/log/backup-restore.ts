import type { Writable } from 'node:stream'
import { Option } from 'clipanion'
import { listTenants } from '../../queries/tenants.js'
import type { HubConfig } from '../../src/config/types.js'
import type { Moment } from '../../src/log/logQuery.js'
import { restoreTenants, type TenantOutcome } from '../../src/tenants/backups.js'
import { keysAtHand } from '../../src/trust/audit/sealKey.js'
import { restoreInto } from '../../src/trust/backup/into.js'
import { type ReadBackup, type Restored, readBackup } from '../../src/trust/backup/restore.js'
import { filesOf } from '../../src/trust/backup/sets.js'
import { AnsweringCommand, counted, usage } from '../lib/command.js'
import { CliError } from '../lib/errors.js'
import { type ProgressLine, progressLine } from '../lib/progress.js'
import { calendarOf, TIME_HELP, timeValue, ZONE_HELP } from '../lib/times.js'

export class BackupRestoreCommand extends AnsweringCommand {
  static override readonly usage = usage('backup restore', {
    description: 'Take a backup into the empty database of the configuration, on any driver; run again, it continues',
    details: `
      The backup is read through before the database is touched, which is set up where it is not. Of a directory the newest
      set is restored; an increment of it, with everything before. Tokens go on working; with \`--until\`, also those that
      were revoked later.
    `,
    examples: [
      ['Into another database', '$0 -c new.yaml backup restore hub.backup'],
      ['As it was before an accident', '$0 -c new.yaml backup restore /backups --until 2026-01-31T12:00:00Z']
    ]
  })

  readonly source = Option.String({ name: 'file-or-directory' })
  readonly until = Option.String('--until', {
    description: `<TIME> The last moment, of a day its end: ${TIME_HELP}; all by default`
  })
  readonly zone = Option.String('--zone', { description: ZONE_HELP })

  protected async run(): Promise<void> {
    const config = this.config()
    const until = this.#until()
    const asked = { until, stderr: this.context.stderr, notice: this.host.notice }
    const { backup, restored } = await restoreFrom(config, this.source, asked)
    const tenants = restored.different.length > 0 ? [] : await this.#tenants(until)
    this.answer({ ...restored, tenants }, ...lines(restored, backup), ...outcomeLines('Restored', tenants))
    requireSameTables(restored)
    requireAll('The hub is restored, but these tenants are not.', tenants)
  }

  /** Restores the tenants that the restored log of the hub tells of. */
  async #tenants(until: Moment | undefined): Promise<readonly TenantOutcome[]> {
    if (this.subject !== null) return []
    const config = this.hubConfig()
    const rows = await this.withLedger(({ readModel }) => listTenants(readModel))
    if (rows.length > 0) this.configWithTenants('restore')
    if (rows.length > 0 && until && 'position' in until)
      throw new CliError(
        'The hub is restored, but not its tenants: each log has positions of its own. Name a time, or restore each with --tenant.'
      )
    return restoreTenants(config, rows, this.source, until, this.host.notice)
  }

  #until(): Moment | undefined {
    if (this.until === undefined) return undefined
    const { moment, isInterpreted } = timeValue('--until', this.until, 'last', calendarOf(this.zone))
    if (isInterpreted && 'time' in moment) this.warn(`Restoring what there was at ${moment.time}.`)
    return moment
  }
}

function lines(restored: Restored, { report, through }: ReadBackup): readonly string[] {
  const { position, chain, appendedErasures, tokenUses, images, digests, isAsBackedUp, madeAnew, different } = restored
  const rows = digests.reduce((sum, table) => sum + table.rows, 0)
  const uses = counted(tokenUses, 'use')
  const said = [`Restored the log up to position ${position}, and ${uses} of tokens.`, `Last chain: ${chain}`]
  if (images > 0) said.push(`Restored ${counted(images, 'image')} of avatars.`)
  const whose = isAsBackedUp ? 'the hub that was backed up' : 'a replay of the log'
  if (different.length === 0)
    said.push(`${digests.length} read tables with ${counted(rows, 'row')} have the digests of ${whose}.`)
  if (different.length === 0 && madeAnew.length > 0)
    said.push(`Those that this version makes in another way have the digests of a replay: ${madeAnew.join(', ')}.`)
  const { position: end } = report.end
  if (through !== end)
    said.push(`What came later, up to position ${end}, is not there: tokens that were revoked by it work again.`)
  if (appendedErasures > 0)
    said.push(
      `What was erased later is not there either: see ${counted(appendedErasures, 'event')} at the end of the log.`
    )
  return said
}

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

/** A line for each tenant that is whole. */
export function outcomeLines(verb: string, outcomes: readonly TenantOutcome[]): readonly string[] {
  return outcomes.flatMap((one) =>
    'failed' in one ? [] : [`${verb} tenant ${one.tenant}, up to position ${one.position}: ${one.file}`]
  )
}

/** Throws a `CliError` that names each tenant that is missing, and why. */
export function requireAll(what: string, outcomes: readonly TenantOutcome[]): void {
  const failed = outcomes.flatMap((one) => ('failed' in one ? [`${one.tenant}: ${one.failed}`] : []))
  if (failed.length > 0) throw new CliError(`${what} ${failed.join(' ')}`)
}
