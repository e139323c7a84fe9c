import { Command, Option } from 'clipanion'
import { SYSTEM_ID } from '../commands/user/system.js'
import { usersTable } from '../projections/users.js'
import { systemAgent } from '../src/ledger.js'
import { changeableUser, noSuchUser } from './accounts.js'
import { HubCommand } from './command.js'

/** `hub user delete`: removes an account with all its tokens. An account that is not there is no failure. */
export class UserDeleteCommand extends HubCommand {
  static override readonly paths = [['user', 'delete']]
  static override readonly usage = Command.Usage({
    category: 'Users',
    description: 'Delete an account with all its tokens'
  })

  readonly id = Option.String({ name: 'user-id' })

  protected run(): Promise<void> {
    return this.withLedger(async (ledger) => {
      const isKnown = this.id === SYSTEM_ID || (await ledger.view.get(usersTable, this.id))
      if (!isKnown) return this.print(noSuchUser(this.id))
      const { name } = await changeableUser(ledger, this.id)
      await ledger.run({ type: 'DeleteUser', id: this.id }, systemAgent)
      this.print(`Deleted user "${name}" (${this.id}).`)
    })
  }
}
