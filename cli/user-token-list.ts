import { Command, Option } from 'clipanion'
import { usersTable } from '../projections/users.js'
import { listTokens, tokenRecord } from '../queries/tokens.js'
import { noSuchUser } from './accounts.js'
import { AnsweringCommand } from './command.js'
import { tokenBlock } from './token-text.js'

/** `hub user token list`: the tokens of one account or of all, newest first, revoked ones too. */
export class UserTokenListCommand extends AnsweringCommand {
  static override readonly paths = [['user', 'token', 'list']]
  static override readonly usage = Command.Usage({
    category: 'Tokens',
    description: 'List tokens, the newest first; never their secrets'
  })

  readonly user = Option.String('--user', { description: 'Id of the account; all accounts by default' })

  protected run(): Promise<void> {
    return this.withLedger(async ({ view, uses }) => {
      const [rows, used] = [await listTokens(view, this.user), await uses.all()]
      if (this.json) {
        const tokens = rows.map((row) => JSON.parse(tokenRecord(row, used.get(row.id) ?? null)))
        return this.printJson({ tokens })
      }
      if (this.user !== undefined && !(await view.get(usersTable, this.user))) return this.print(noSuchUser(this.user))
      if (rows.length === 0) return this.print('No API tokens found.')
      for (const row of rows) this.print(...tokenBlock(row, used.get(row.id) ?? null))
    })
  }
}
