import { randomUUID } from 'node:crypto'
import { Command, Option } from 'clipanion'
import { tokenRecord } from '../queries/tokens.js'
import { userRecord } from '../queries/users.js'
import { issueToken } from '../src/issue.js'
import { systemAgent } from '../src/ledger.js'
import { currentToken, currentUser } from './accounts.js'
import { InvitingCommand } from './invite-command.js'
import { issuedTokenBlock } from './token-text.js'
import { userBlock } from './user-text.js'

/** `hub user create`: an account with its first token, or with an invitation instead. */
export class UserCreateCommand extends InvitingCommand {
  static override readonly paths = [['user', 'create']]
  static override readonly usage = Command.Usage({
    category: 'Users',
    description: 'Create an account and its first token, whose secret is shown once',
    examples: [
      ['A user who may do everything', '$0 user create --name alice --role user --collection-access "*"'],
      ['An administrator', '$0 user create --name operations --role admin']
    ]
  })

  readonly invite = Option.Boolean('--invite', false, { description: 'Make an invitation instead of a token' })

  protected async run(): Promise<void> {
    if (this.invite) return this.inviteNew()
    const account = this.newAccount()
    const { secret, token } = issueToken()
    await this.withLedger(async (ledger) => {
      const id = randomUUID()
      await ledger.run({ type: 'CreateUser', id, account, token }, systemAgent)
      const user = await currentUser(ledger, id)
      const tokenRow = await currentToken(ledger, token.tokenId)
      if (this.json) {
        const [userJson, tokenJson] = [userRecord(user), tokenRecord(tokenRow, null)].map((text) => JSON.parse(text))
        return this.printJson({ user: userJson, token: tokenJson, secret })
      }
      this.print(
        `Created user "${user.name}" (${id}) with role ${account.role}.`,
        ...userBlock(user),
        '',
        ...issuedTokenBlock(tokenRow, user.name, secret)
      )
    })
  }
}
