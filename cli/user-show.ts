import { Command, Option } from 'clipanion'
import { usersTable } from '../projections/users.js'
import { userRecord } from '../queries/users.js'
import { noSuchUser } from './accounts.js'
import { AnsweringCommand } from './command.js'
import { usedThisMonth, userBlock } from './user-text.js'

/** `hub user show`: one account. */
export class UserShowCommand extends AnsweringCommand {
  static override readonly paths = [['user', 'show']]
  static override readonly usage = Command.Usage({ category: 'Users', description: 'Show one account' })

  readonly id = Option.String({ name: 'user-id' })

  protected run(): Promise<void> {
    return this.withLedger(async ({ view }) => {
      const row = await view.get(usersTable, this.id)
      if (this.json) return this.printJson(row && JSON.parse(userRecord(row)))
      this.print(...(row ? userBlock(row, await usedThisMonth(view, row.id)) : [noSuchUser(this.id)]))
    })
  }
}
