import { Command, Option } from 'clipanion'
import { userRecord } from '../queries/users.js'
import { systemAgent } from '../src/ledger.js'
import { AccountCommand, requireNoAccess } from './account-options.js'
import { changeableUser, currentUser } from './accounts.js'
import { CliError } from './errors.js'

/** `hub user update`: changes what the options name and leaves everything else. */
export class UserUpdateCommand extends AccountCommand {
  static override readonly paths = [['user', 'update']]
  static override readonly usage = Command.Usage({
    category: 'Users',
    description: 'Change an account',
    details: 'An access option replaces the whole list; `none` empties it. What no option names stays as it is.',
    examples: [['Take away all collections', '$0 user update 1f0d… --collection-access none']]
  })

  readonly id = Option.String({ name: 'user-id' })

  protected async run(): Promise<void> {
    const changes = this.changes()
    if (Object.keys(changes).length === 0)
      throw new CliError('Nothing to change: give at least one option. See: hub user update --help')
    await this.withLedger(async (ledger) => {
      const { role } = await changeableUser(ledger, this.id)
      if ((changes.role ?? role) === 'admin') requireNoAccess(changes)
      await ledger.run({ type: 'UpdateUser', id: this.id, changes }, systemAgent)
      const user = await currentUser(ledger, this.id)
      if (this.json) this.printJson(JSON.parse(userRecord(user)))
      else this.print(`Updated user "${user.name}" (${user.id}).`)
    })
  }
}
