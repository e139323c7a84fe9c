import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { Command, Option } from 'clipanion'
import { entriesOf, fullManner } from '../src/audit/entries.js'
import { makePrivate } from '../src/files.js'
import { type Ledger, systemOrigin } from '../src/ledger.js'
import { pagesOf, stretchOf } from '../src/log/search.js'
import { AuditQueryCommand } from './audit-query.js'

export class AuditExportCommand extends AuditQueryCommand {
  static override readonly paths = [['audit', 'export']]
  static override readonly usage = Command.Usage({
    description: 'Write what happened to a file, one JSON entry a line, the oldest first',
    examples: [['A month', '$0 audit export --from 2026-10-01 --to 2026-10-31 --out october.ndjson']]
  })

  readonly out = Option.String('--out', { required: true, description: '<FILE> Where the entries go' })

  protected run(): Promise<void> {
    const asked = this.query()
    return this.withLedger(async (ledger) => {
      const query = await this.within(ledger, asked)
      const { after, through } = await stretchOf(ledger.storage, query)
      const data = { what: 'audit' as const, from: after + 1, to: through }
      // Before the first line: what was taken away is known also where the rest goes wrong.
      await ledger.run({ type: 'RecordLogExported', id: randomUUID(), data }, systemOrigin)
      let count = 0
      const { how } = this
      async function* lines(source: Ledger) {
        for await (const events of pagesOf(source, { ...query, to: { position: through } })) {
          count += events.length
          for await (const { entry } of entriesOf(source, events, { ...fullManner, how }))
            yield `${JSON.stringify(entry)}\n`
        }
      }
      makePrivate(this.out)
      await pipeline(lines(ledger), createWriteStream(this.out))
      this.answer(
        { file: this.out, entries: count, from: after + 1, to: through },
        `Exported ${count} entries to ${this.out}.`
      )
    })
  }
}
