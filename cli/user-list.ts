import { Command } from 'clipanion'
import { listUsers, staleAccess, userRecord } from '../queries/users.js'
import { offeredIds } from '../src/llm/catalog.js'
import { AnsweringCommand } from './command.js'
import { usedThisMonth, userBlock } from './user-text.js'

/** `hub user list`: every account but the system's, by name. */
export class UserListCommand extends AnsweringCommand {
  static override readonly paths = [['user', 'list']]
  static override readonly usage = Command.Usage({
    category: 'Users',
    description: 'List the accounts by name, and warn of access to what is gone'
  })

  protected run(): Promise<void> {
    return this.withLedger(async ({ view }) => {
      const rows = await listUsers(view)
      const warnings = await staleAccess(view, rows, offeredIds(this.config()))
      if (this.json) {
        const users = rows.map((row) => ({ ...JSON.parse(userRecord(row)), warnings: warnings.get(row.id) ?? [] }))
        return this.printJson({ users })
      }
      if (rows.length === 0) return this.print('No users found.')
      for (const row of rows) {
        this.print(...userBlock(row, await usedThisMonth(view, row.id)))
        for (const warning of warnings.get(row.id) ?? []) this.warn(`Warning: ${row.name} (${row.id}): ${warning}`)
      }
    })
  }
}
