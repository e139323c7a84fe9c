import { setTimeout } from 'node:timers/promises'
import { Command } from 'clipanion'
import { entriesOf, listManner } from '../src/audit/entries.js'
import { short } from '../src/audit/mask.js'
import { search } from '../src/log/search.js'
import { AuditQueryCommand, entryLine } from './audit-query.js'

const PAUSE_MS = 300
const PAGE = 500

/** `hub audit follow`: what happens, as it happens, until Ctrl-C. */
export class AuditFollowCommand extends AuditQueryCommand {
  static override readonly paths = [['audit', 'follow']]
  static override readonly usage = Command.Usage({
    category: 'Audit',
    description: 'Print what happens as it happens, until Ctrl-C; with --json one JSON document a line'
  })

  protected run(): Promise<void> {
    const asked = this.query()
    const stop = new AbortController()
    const end = () => stop.abort()
    process.once('SIGINT', end).once('SIGTERM', end)
    return this.withLedger(async (ledger) => {
      const query = await this.within(ledger, asked)
      let cursor = query.from === undefined ? (await ledger.storage.head()).position : undefined
      while (!stop.signal.aborted) {
        await ledger.view.current()
        const head = ledger.view.head.position
        const { events, next } = await search(ledger, query, { limit: PAGE, newestFirst: false, cursor })
        for await (const { entry } of entriesOf(ledger, events, { ...listManner, how: [...this.how, short] }))
          this.json ? this.printDocument(entry) : this.print(entryLine(entry))
        // What the search has seen is done with, also where nothing in it was wanted.
        cursor = next ?? Math.max(head, events.at(-1)?.position ?? 0)
        if (next === null) await setTimeout(PAUSE_MS, null, { signal: stop.signal }).catch(() => {})
      }
    }).finally(() => process.off('SIGINT', end).off('SIGTERM', end))
  }
}
