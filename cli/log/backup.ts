import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Option } from 'clipanion'
import { listTenants } from '../../queries/tenants.js'
import { lockFile } from '../../src/app/databases.js'
import { makeFolder } from '../../src/lib/files.js'
import { NO_KEYS } from '../../src/log/chain.js'
import type { StoredEvent } from '../../src/log/event.js'
import { backUpTenants, removeBackups, TenantsInLog, verifyTenants } from '../../src/tenants/backups.js'
import { keysAtHand, readKeyring } from '../../src/trust/audit/sealKey.js'
import { type BackupStep, backUp, following, followUntil } from '../../src/trust/backup/follow.js'
import { filesOf } from '../../src/trust/backup/sets.js'
import { type BackupReport, verifyBackup } from '../../src/trust/backup/verify.js'
import { requireFree } from '../../src/trust/backup/write.js'
import { AnsweringCommand, counted, HubCommand, requireName, usage } from '../lib/command.js'
import { CliError } from '../lib/errors.js'
import { durationValue } from '../lib/option-values.js'
import { progressLine } from '../lib/progress.js'
import { stoppable } from '../lib/signals.js'
import { outcomeLines, requireAll } from './backup-restore.js'

export class BackupCreateCommand extends AnsweringCommand {
  static override readonly usage = usage('backup create', {
    description: 'Write everything the hub knows to one compressed file, while it serves',
    details: `
      The file holds the log, the last uses of tokens and the digests of the read tables, as they were at one position. It
      is read back before it gets its name, so there is never half a backup under it, and only its owner may read it. That
      it was made is in the log.
    `,
    examples: [['To a file', '$0 backup create /backups/hub.backup']]
  })

  readonly file = Option.String({ name: 'file' })
  readonly force = Option.Boolean('--force', false, { description: 'Replace the file where it is there already' })

  protected run(): Promise<void> {
    const { file, force } = this
    const { audit } = this.config()
    this.requireFile(file)
    return stoppable((signal) =>
      this.withLedger(async (ledger) => {
        const bar = progressLine(this.context.stderr, 'Backing up', (await ledger.storage.head()).position)
        const keys = readKeyring(audit)
        const rows = this.subject === null ? await listTenants(ledger.readModel) : []
        const set = { file, force, signal }
        const plan = { ...set, keys, now: ledger.now(), progress: bar.at }
        // The file of the hub comes last: what it tells of is there already.
        requireFree(plan)
        const withLedger = this.withLedger.bind(this)
        const tenants = await backUpTenants(this.hubConfig(), rows, { ...set, withLedger })
        const report = await backUp(ledger, plan)
          .catch(async (error: unknown) => {
            // With --force they have taken the place of others, which would be missing then.
            if (!force) await removeBackups(file, tenants)
            throw error
          })
          .finally(bar.done)
        const document = { ...backupDocument({ ...report, files: [file] }), tenants }
        const said = [`Backed up to ${file}, and read back:`, ...backupLines(report)]
        this.answer(document, ...said, ...outcomeLines('Backed up', tenants))
        requireAll('These tenants are not in the backup.', tenants)
      })
    )
  }
}

export class BackupVerifyCommand extends AnsweringCommand {
  static override readonly usage = usage('backup verify', {
    description: 'Prove that a backup is whole and as it was written; exit 1 and name the place where it is not',
    details: `
      No database is needed, and no configuration: where there is one, its keys (\`audit.sealKeyFile\`) are used to compute
      the links of a sealed chain. Of a directory it is the newest set: the full backup and what continues it. The files of the
      tenants beside the file of a hub are verified with it, and those that are missing are named.
    `,
    examples: [['One file', '$0 backup verify /backups/hub.backup']]
  })

  readonly source = Option.String({ name: 'file-or-directory' })

  protected async run(): Promise<void> {
    const keys = existsSync(this.context.configPath) ? keysAtHand(this.config().audit) : NO_KEYS
    const files = await filesOf(this.source)
    const bar = progressLine(this.context.stderr, 'Verifying', null)
    const told = new TenantsInLog()
    const means = { keys, progress: bar.at, see: (event: StoredEvent) => told.see(event) }
    const report = await verifyBackup(files, means).finally(bar.done)
    const isFile = statSync(this.source).isFile()
    const tenants = isFile ? await verifyTenants(told.all, this.source, keys) : []
    const missing = isFile ? [] : told.all.map(({ tenant }) => tenant)
    const said = [`${this.source} holds:`, ...backupLines(report), ...outcomeLines('Verified', tenants)]
    if (missing.length > 0) said.push(`It holds the hub alone, and not its tenants: ${missing.join(', ')}.`)
    this.answer({ ...backupDocument(report), tenants, missing }, ...said)
    requireAll('The hub is whole, but these tenants are not.', tenants)
  }
}

const UNCHECKED =
  'the key is not at hand, so the links were not computed: name it in the configuration (audit.sealKeyFile).'

/** What a backup is, as text. */
function backupLines({ files, header, end, events, sealed, uncheckedFrom }: BackupReport): readonly string[] {
  const { release, schema, madeAt } = header
  return [
    `${counted(events, 'event')} up to position ${end.position}, of ${end.at}; chain ${end.chain}.`,
    `${counted(end.tokenUses, 'use')} of tokens; made at ${madeAt} by release ${release}, schema ${schema}${files.length > 1 ? `; ${files.length} files` : ''}.`,
    sealed
      ? `The chain is sealed with the key ${sealed.keyId} from position ${sealed.from} on.`
      : 'The chain is not sealed with a key: who can change the file can write it anew.',
    ...(uncheckedFrom === null ? [] : [`From position ${uncheckedFrom} on ${UNCHECKED}`])
  ]
}

/** The same for a program to read. */
function backupDocument({ files, header, end, events, first, sealed, uncheckedFrom }: BackupReport) {
  const { release, schema, projections, madeAt } = header
  const { position, chain, at, tokenUses, tables } = end
  return {
    ...{ files, events, first, position, chain, at, tokenUses, sealed, uncheckedFrom },
    ...{ release, schema, projections, madeAt, tables }
  }
}

const LOCK = 'hub-backup.lock'

export class BackupFollowCommand extends HubCommand {
  static override readonly usage = usage('backup follow', {
    description: 'Write backups to a directory again and again, until Ctrl-C: a full one, then what was written since',
    details: `
      A full backup begins a set; each file after it holds the positions since the one before, and nothing is written where
      nothing has happened. After a day, or half of \`--keep\` where that is less, the next set begins. A set is removed when the
      one after it was begun longer ago than \`--keep\`. Other files of the directory are left alone.
    `,
    examples: [
      ['Every five minutes', '$0 backup follow /backups --every 5m --keep 7d'],
      ['From cron', '$0 backup follow /backups --once']
    ]
  })

  readonly directory = Option.String({ name: 'directory' })
  readonly every = Option.String('--every', '5m', { description: '<TIME> How long to wait in between; 5m by default' })
  readonly keep = Option.String('--keep', '7d', {
    description: '<TIME> How long a set stays after the next; 7d by default'
  })
  readonly once = Option.Boolean('--once', false, { description: 'One time only' })

  protected async run(): Promise<void> {
    const every_ms = durationValue('--every', this.every, '1s', '7d')
    const keep_ms = durationValue('--keep', this.keep, '1m', '3650d')
    requireName(this.directory)
    const directory = resolve(this.directory)
    makeFolder(directory)
    const unlock = await lockFile(join(directory, LOCK))
    if (!unlock) throw new CliError(`Another hub backup follow writes to ${directory}.`)
    await stoppable((signal) => this.#follow(directory, every_ms, keep_ms, signal)).finally(unlock)
  }

  async #follow(directory: string, every_ms: number, keep_ms: number, signal: AbortSignal): Promise<void> {
    // The configuration is read each time: it may name another key. And the tenant may have been moved.
    const opened = async <T>(work: (round: BackupStep, say: (text: string) => void) => Promise<T>) => {
      await this.locate()
      return this.withLedger(async (ledger) => {
        const say = (text: string) => this.print(`${new Date(ledger.now()).toISOString()} ${text}`)
        const keys = readKeyring(this.config().audit)
        const { now } = ledger
        return work(await following({ ledger, keys, directory, keep_ms, now, say, signal }), say)
      })
    }
    if (!this.once) return followUntil(opened, every_ms, signal, (text) => this.warn(text))
    await opened(async (round, say) => {
      if ((await round()) === 'nothing') say('Nothing was written since the last backup.')
    })
  }
}
