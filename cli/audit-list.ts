import { Command, Option } from 'clipanion'
import { entriesOf, listManner } from '../src/audit/entries.js'
import { short } from '../src/audit/mask.js'
import { search } from '../src/log/search.js'
import { AuditQueryCommand, entryLine } from './audit-query.js'
import { countValue } from './option-values.js'

/** `hub audit list`: who did what and when, the newest first. */
export class AuditListCommand extends AuditQueryCommand {
  static override readonly paths = [['audit', 'list']]
  static override readonly usage = Command.Usage({
    category: 'Audit',
    description: 'List what happened, the newest first: who, from where, what',
    examples: [
      ['What one account did since yesterday', '$0 audit list --actor Ada --from 2026-01-30'],
      ['What happened to a collection', '$0 audit list --kind collection --id <id> --oldest']
    ]
  })

  readonly limit = Option.String('--limit', '50', { description: 'How many at most; 50 by default' })
  readonly oldest = Option.Boolean('--oldest', false, { description: 'From the oldest on' })

  protected run(): Promise<void> {
    const [asked, limit] = [this.query(), countValue('--limit', this.limit)]
    return this.withLedger(async (ledger) => {
      const query = await this.within(ledger, asked)
      let cursor: number | undefined
      let left = limit
      let isNone = true
      const all: unknown[] = []
      while (left > 0) {
        const page = { limit: Math.min(left, 500), newestFirst: !this.oldest, cursor }
        const { events, next } = await search(ledger, query, page)
        for await (const { entry } of entriesOf(ledger, events, { ...listManner, how: [...this.how, short] })) {
          if (this.json) all.push(entry)
          else this.print(entryLine(entry))
        }
        isNone &&= events.length === 0
        left -= events.length
        if (next === null) break
        cursor = next
      }
      if (this.json) this.printJson({ entries: all })
      else if (isNone) this.print('Nothing was found.')
    })
  }
}
