import { randomUUID } from 'node:crypto'
import { Command, Option } from 'clipanion'
import { systemAgent } from '../src/ledger.js'
import { eventsOf, exportLog, manifestPath } from '../src/transfer/export.js'
import { toLine } from '../src/transfer/line.js'
import { HubCommand } from './command.js'
import { progressLine } from './progress.js'

/** `hub log export`: the whole log as NDJSON, with a manifest beside it. Run again, it continues the file. */
export class LogExportCommand extends HubCommand {
  static override readonly paths = [['log', 'export']]
  static override readonly usage = Command.Usage({
    category: 'Log',
    description: 'Write the whole log to a file, one event a line; run again, it continues the file',
    examples: [['To a file', '$0 log export hub.ndjson']]
  })

  readonly file = Option.String({ name: 'file', required: false })

  protected run(): Promise<void> {
    return this.withLedger(async ({ storage, run }) => {
      const { position: end } = await storage.head()
      const data = { what: 'log' as const, from: 1, to: end }
      // Before the first line, so that the file tells of it too.
      await run({ type: 'RecordLogExported', id: randomUUID(), data }, systemAgent)
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
