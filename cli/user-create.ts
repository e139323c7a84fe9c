import { randomUUID } from 'node:crypto'
import { Command } from 'clipanion'
import { tokenRecord } from '../queries/tokens.js'
import { userRecord } from '../queries/users.js'
import { systemAgent } from '../src/ledger.js'
import { drawSecret } from '../src/secrets.js'
import { AccountCommand, requireNoAccess } from './account-options.js'
import { currentToken, currentUser } from './accounts.js'
import { nameValue, roleValue } from './option-values.js'
import { issuedTokenBlock } from './token-text.js'
import { userBlock } from './user-text.js'

const noAccess = {
  collectionAccess: [],
  environmentAccess: [],
  snippetAccess: [],
  llmAccess: false,
  llmModels: [],
  llmMonthlyTokenLimit: null
}

/** `hub user create`: an account with its first token. */
export class UserCreateCommand extends AccountCommand {
  static override readonly paths = [['user', 'create']]
  static override readonly usage = Command.Usage({
    category: 'Users',
    description: 'Create an account and its first token, whose secret is shown once',
    examples: [
      ['A user who may do everything', '$0 user create --name alice --role user --collection-access "*"'],
      ['An administrator', '$0 user create --name operations --role admin']
    ]
  })

  protected async run(): Promise<void> {
    const account = { ...noAccess, ...this.changes(), name: nameValue(this.name), role: roleValue(this.role) }
    if (account.role === 'admin') requireNoAccess(account)
    const { secret, ...issued } = drawSecret('hbk_')
    const token = { tokenId: randomUUID(), ...issued }
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
