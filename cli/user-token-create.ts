import { Command, Option } from 'clipanion'
import { tokenRecord } from '../queries/tokens.js'
import { issueToken } from '../src/issue.js'
import { systemAgent } from '../src/ledger.js'
import { changeableUser, currentToken } from './accounts.js'
import { AnsweringCommand } from './command.js'
import { CliError } from './errors.js'
import { nameValue } from './option-values.js'
import { issuedTokenBlock } from './token-text.js'

/** `hub user token create`: one more token for an account. */
export class UserTokenCreateCommand extends AnsweringCommand {
  static override readonly paths = [['user', 'token', 'create']]
  static override readonly usage = Command.Usage({
    category: 'Tokens',
    description: 'Create a token for an account; its secret is shown once',
    examples: [['A token for a second laptop', '$0 user token create --user 1f0d… --name laptop']]
  })

  readonly user = Option.String('--user', { description: 'Id of the account; it may also stand as the argument' })
  readonly name = Option.String('--name', { description: 'What the token is for' })
  readonly id = Option.String({ name: 'user-id', required: false })

  protected async run(): Promise<void> {
    const userId = this.#userId()
    const name = nameValue(this.name)
    const { secret, token } = issueToken()
    await this.withLedger(async (ledger) => {
      const user = await changeableUser(ledger, userId)
      await ledger.run({ type: 'CreateToken', userId, name, ...token }, systemAgent)
      const row = await currentToken(ledger, token.tokenId)
      if (this.json) this.printJson({ token: JSON.parse(tokenRecord(row, null)), secret })
      else this.print(...issuedTokenBlock(row, user.name, secret))
    })
  }

  #userId(): string {
    const { user, id } = this
    if (user !== undefined && id !== undefined && user !== id) throw new CliError('Two different user ids are given.')
    const given = user ?? id
    if (given === undefined) throw new CliError('Option --user is required.')
    return given
  }
}
