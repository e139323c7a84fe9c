import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Option } from 'clipanion'
import { openHeads } from '../../src/app/databases.js'
import { openReadyLedger } from '../../src/app/hub.js'
import type { HubConfig } from '../../src/config/types.js'
import { type Ledger, systemOrigin } from '../../src/ledger/ledger.js'
import { forgetLostEnds, lostEnds } from '../../src/ledger/lostEnds.js'
import { temporaryFolder } from '../../src/lib/temporary.js'
import { acceptHead, type KnownHeads } from '../../src/log/knownHeads.js'
import { lossText } from '../../src/log/wentBack.js'
import { readKeyring } from '../../src/trust/audit/sealKey.js'
import { exportLog, exportTo } from '../../src/trust/backup/export.js'
import { BackupError } from '../../src/trust/backup/format.js'
import { AnsweringCommand, closing, counted, HubCommand, usage, YES_HELP } from '../lib/command.js'
import { CliError } from '../lib/errors.js'
import { progressLine } from '../lib/progress.js'
import { stoppable } from '../lib/signals.js'
import { requireSameTables, restoreFrom } from './backup-restore.js'

export class LogExportCommand extends HubCommand {
  static override readonly usage = usage('log export', {
    description: 'Write the whole log to a file, a backup; run again, it adds what came since',
    details: `
      While the hub serves. What is added was read back before the file is another one, and only its owner may read it. That it
      was taken is in the log.
    `,
    examples: [
      ['To a file', '$0 log export hub.backup'],
      ['To stdout', '$0 log export -']
    ]
  })

  readonly file = Option.String({ name: 'file', required: false })

  protected run(): Promise<void> {
    const { file = '-' } = this
    const { stdout, stderr } = this.context
    if (file === '-' && stdout.isTTY)
      throw new CliError('What is exported is compressed, and nothing for a terminal. Name a file.')
    if (file !== '-') this.requireFile(file)
    const keys = readKeyring(this.config().audit)
    return stoppable((signal) =>
      this.withLedger(async (ledger) => {
        const bar = progressLine(stderr, 'Exporting', (await ledger.storage.head()).position)
        const manner = { keys, now: ledger.now(), signal, progress: bar.at }
        if (file === '-') return exportTo(ledger, stdout, manner).finally(bar.done)
        const { events, end } = await exportLog(ledger, file, manner).finally(bar.done)
        this.print(`Exported ${counted(events, 'event')} to ${file}.`, `Last chain: ${end.chain}`)
      })
    )
  }
}

export class LogImportCommand extends HubCommand {
  static override readonly usage = usage('log import', {
    description: 'Take an exported log, or any backup, into an empty database; run again, it continues',
    details: `
      It is read through before the database is touched, which is set up where it is not; every link of the chain is checked.
      Where the file has no digests of the read tables as they are at its end, \`hub projections verify\` proves them. From
      stdin (\`-\`) it is kept in a temporary file meanwhile.
    `,
    examples: [['From a file', '$0 -c new.yaml log import hub.backup']]
  })

  readonly file = Option.String({ name: 'file' })

  protected async run(): Promise<void> {
    const config = this.config()
    if (this.file !== '-') return this.#import(config, this.file)
    const folder = temporaryFolder('import')
    const file = join(folder, 'stdin')
    await stoppable(async (signal) => {
      try {
        await pipeline(this.context.stdin, createWriteStream(file, { mode: 0o600 }), { signal })
        await this.#import(config, file, signal)
      } catch (error) {
        if (signal.aborted) throw new CliError('The import was stopped. Run again, it goes on where it was.')
        throw error instanceof BackupError ? new BackupError(error.message.replaceAll(file, 'stdin')) : error
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    })
  }

  async #import(config: HubConfig, file: string, signal?: AbortSignal): Promise<void> {
    const asked = { stderr: this.context.stderr, notice: this.host.notice, replays: false, signal }
    const { restored } = await restoreFrom(config, file, asked)
    this.print(`Imported the log up to position ${restored.position}.`, `Last chain: ${restored.chain}`)
    requireSameTables(restored)
  }
}

export class LogAcceptHeadCommand extends AnsweringCommand {
  static override readonly usage = usage('log accept-head', {
    description: 'Accept that the log went back, as where a standby took over that was late, and serve it again',
    details: `
      A hub that finds that the log does not hold what it knew of it reads and writes nothing more, and so does every other that
      opens it. This says up to where the log was known to go on, and after a yes writes that into the log as an event: hubs that
      run then serve it as it is within a second. What was lost is not brought back. Before that, look whether the
      database that had it can be.
    `,
    examples: [['After a failover', '$0 log accept-head']]
  })

  readonly yes = Option.Boolean('--yes', false, { description: YES_HELP })

  protected async run(): Promise<void> {
    const config = this.config()
    await closing(openHeads(config, this.host.notice), ({ heads }) =>
      closing(openReadyLedger(config, { ...this.host, acceptsLoss: true }), (ledger) => this.#accept(ledger, heads))
    )
  }

  async #accept({ storage, readModel, run }: Ledger, heads: KnownHeads): Promise<void> {
    const lost = await lostEnds(storage, heads)
    const { position: end } = readModel.head
    const [furthest] = lost
    if (furthest) {
      this.warn(lossText(furthest, { position: end }), LOST)
      await this.confirm('Serve the log as it is?', this.yes)
      await run({ type: 'RecordHeadAccepted', id: randomUUID(), data: { lost: [...lost], end } }, systemOrigin)
    }
    await forgetLostEnds(storage.state)
    await acceptHead(storage, heads)
    const held = 'The log holds what is known of it.'
    this.answer({ lost, end }, furthest ? 'Accepted. Hubs that run serve it within a second.' : held)
  }
}

const LOST =
  'What was committed behind the last event that both have is lost, and whoever saved it has to save it again.'
