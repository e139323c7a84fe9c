import { Command } from 'clipanion'
import { nameOf } from '../commands/named.js'
import { usersTable } from '../projections/users.js'
import { statsOf } from '../src/audit/stats.js'
import { pagesOf } from '../src/log/search.js'
import { AuditQueryCommand } from './audit-query.js'

/** `hub audit stats`: how often what happened, and who did most. */
export class AuditStatsCommand extends AuditQueryCommand {
  static override readonly paths = [['audit', 'stats']]
  static override readonly usage = Command.Usage({
    category: 'Audit',
    description: 'Count what happened by type, by account and by day'
  })

  protected run(): Promise<void> {
    const asked = this.query()
    return this.withLedger(async (ledger) => {
      const query = await this.within(ledger, asked)
      const stats = await statsOf(pagesOf(ledger, query))
      if (this.json) return this.printJson(stats)
      const rows = await ledger.view.getAll(usersTable, Object.keys(stats.actors))
      const names = new Map(rows.map((row) => [row.id, nameOf(row)]))
      const table = (counts: Readonly<Record<string, number>>) =>
        Object.entries(counts).map(([key, count]) => `  ${String(count).padStart(8)}  ${names.get(key) ?? key}`)
      this.print(`${stats.events} events`)
      this.print('By type', ...table(stats.types), 'By account', ...table(stats.actors), 'By day', ...table(stats.days))
    })
  }
}
