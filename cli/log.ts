import { randomUUID } from 'node:crypto'
import { createReadStream, existsSync, readFileSync } from 'node:fs'
import { Command, Option } from 'clipanion'
import { z } from 'zod'
import { migrate } from '../migrations/migrate.js'
import { keysAtHand } from '../src/audit/sealKey.js'
import { openStorage, requireCurrentTables, requireKnownSchema } from '../src/hub.js'
import { systemOrigin } from '../src/ledger.js'
import { eventsOf, exportLog, manifestPath } from '../src/transfer/export.js'
import { importLog } from '../src/transfer/import.js'
import { toLine } from '../src/transfer/lines.js'
import { HubCommand } from './command.js'
import { CliError } from './errors.js'
import { progressLine } from './progress.js'

/** `hub log export`: the whole log as NDJSON, with a manifest beside it. Run again, it continues the file. */
export class LogExportCommand extends HubCommand {
  static override readonly paths = [['log', 'export']]
  static override readonly usage = Command.Usage({
    category: 'Log',
    description: 'Write the whole log to a file, one event a line; run again, it continues the file',
    examples: [
      ['To a file', '$0 log export hub.ndjson'],
      ['To stdout', '$0 log export']
    ]
  })

  readonly file = Option.String({ name: 'file', required: false })

  protected run(): Promise<void> {
    return this.withLedger(async ({ storage, run }) => {
      const { position: end } = await storage.head()
      const data = { what: 'log' as const, from: 1, to: end }
      // Before the first line, so that the file tells of it too.
      await run({ type: 'RecordLogExported', id: randomUUID(), data }, systemOrigin)
      if (this.file === undefined || this.file === '-') {
        for await (const event of eventsOf(storage, 0)) {
          if (!this.context.stdout.write(toLine(event)))
            await new Promise((resolve) => this.context.stdout.once('drain', resolve))
        }
        return
      }
      const { position: total } = await storage.head()
      const bar = progressLine(this.context.stderr, 'Exporting', total)
      const manifest = await exportLog(storage, this.file, bar.at)
      bar.done()
      this.print(`Exported ${manifest.count} events to ${this.file}.`, `Manifest: ${manifestPath(this.file)}`)
      if (manifest.last) this.print(`Last chain: ${manifest.last.chain}`)
    })
  }
}

const manifested = z.object({ last: z.object({ position: z.number(), chain: z.string() }).nullable() })

/** `hub log import`: takes over an exported log into an empty database, on any driver. Run again, it continues. */
export class LogImportCommand extends HubCommand {
  static override readonly paths = [['log', 'import']]
  static override readonly usage = Command.Usage({
    category: 'Log',
    description: 'Take over an exported log into an empty database; run again, it continues',
    details: 'The database is set up first where it is not. Every link of the chain is checked on the way.',
    examples: [['From a file', '$0 -c new.yaml log import hub.ndjson']]
  })

  readonly file = Option.String({ name: 'file' })

  protected async run(): Promise<void> {
    const input = this.file === '-' ? this.context.stdin : this.#open()
    const promised = this.#manifest()
    const { db, audit } = this.config()
    const keys = keysAtHand(audit)
    const storage = await openStorage(db, this.host.notice)
    try {
      await requireKnownSchema(storage)
      await migrate(storage)
      await requireCurrentTables(storage)
      const bar = progressLine(this.context.stderr, 'Importing', promised?.position ?? null)
      const head = await importLog(storage, input, bar.at, keys)
      bar.done()
      if (promised && (promised.position !== head.position || promised.chain !== head.chain)) {
        throw new CliError(
          `The manifest promises position ${promised.position}, but the file ended at ${head.position}.`
        )
      }
      this.print(`Imported the log up to position ${head.position}.`, `Last chain: ${head.chain}`)
    } finally {
      await storage.close()
    }
  }

  #open() {
    if (!existsSync(this.file)) throw new CliError(`File not found: ${this.file}`)
    return createReadStream(this.file)
  }

  #manifest() {
    const path = manifestPath(this.file)
    return existsSync(path) ? manifested.parse(JSON.parse(readFileSync(path, 'utf8'))).last : null
  }
}
