import { randomUUID } from 'node:crypto'
import { Command, Option } from 'clipanion'
import { listTokens, tokenRecord } from '../queries/callers.js'
import { userRecord } from '../queries/users.js'
import { issueToken } from '../src/issue.js'
import { type Ledger, systemOrigin } from '../src/ledger.js'
import { AccountCommand, requireNoAccess } from './account-options.js'
import { counted, LedgerCommand, TERMINAL_YES_HELP } from './command.js'
import { UsageError } from './errors.js'
import { changeableUser, currentToken, currentUser } from './names.js'
import { InvitingCommand } from './user-invite.js'
import { userBlock } from './user-show.js'
import { issuedTokenBlock } from './user-token.js'

/** The options that give all of every access list. */
const everyAccess = ['collection', 'environment', 'snippet', 'live-server', 'live-page']
  .map((kind) => `--${kind}-access "*"`)
  .join(' ')

export class UserCreateCommand extends InvitingCommand {
  static override readonly paths = [['user', 'create']]
  static override readonly usage = Command.Usage({
    description: 'Create an account and its first token, whose secret is shown once',
    examples: [
      [
        'A user who may do everything',
        `$0 user create --name alice --role user ${everyAccess} --llm-access --llm-model "*"`
      ],
      ['An administrator', '$0 user create --name operations --role admin']
    ]
  })

  readonly invite = Option.Boolean('--invite', false, { description: 'Make an invitation instead of a token' })

  protected async run(): Promise<void> {
    if (this.invite) return this.inviteNew()
    const account = this.newAccount()
    const avatar = this.avatar()
    const { secret, token } = issueToken()
    await this.withLedger(async (ledger) => {
      const id = randomUUID()
      const withIds = await this.withIds(ledger.view, account)
      await ledger.run({ type: 'CreateUser', id, account: withIds, avatar, token }, systemOrigin)
      const user = await currentUser(ledger, id)
      const tokenRow = await currentToken(ledger, token.tokenId)
      const documents = { user: JSON.parse(userRecord(user)), token: JSON.parse(tokenRecord(tokenRow, null)), secret }
      const made = `Created user "${user.name}" (${id}) with role ${account.role}.`
      this.answer(documents, made, ...userBlock(user), '', ...issuedTokenBlock(tokenRow, user.name, secret))
    })
  }
}

export class UserUpdateCommand extends AccountCommand {
  static override readonly paths = [['user', 'update']]
  static override readonly usage = Command.Usage({
    description: 'Change an account',
    details: 'An access option replaces the whole list; `none` empties it. What no option names stays as it is.',
    examples: [
      ['Take away all collections', '$0 user update ada --collection-access none'],
      ['Give one by its name', '$0 user update ada --collection-access Payments']
    ]
  })

  readonly named = Option.String({ name: 'user' })

  protected async run(): Promise<void> {
    const changes = this.changes()
    const avatar = this.avatar()
    if (Object.keys({ ...changes, ...avatar }).length === 0)
      throw new UsageError('Nothing to change: give at least one option. See: hub user update --help')
    await this.withLedger(async (ledger) => {
      const { id, role } = await changeableUser(ledger, this.named)
      if ((changes.role ?? role) === 'admin') requireNoAccess(changes)
      const withIds = await this.withIds(ledger.view, changes)
      await ledger.run({ type: 'UpdateUser', id, changes: withIds, avatar }, systemOrigin)
      const user = await currentUser(ledger, id)
      this.answer(JSON.parse(userRecord(user)), `Updated user "${user.name}" (${user.id}).`)
    })
  }
}

export class UserDeleteCommand extends LedgerCommand {
  static override readonly paths = [['user', 'delete']]
  static override readonly usage = Command.Usage({
    description: 'Delete an account with all its tokens',
    details: 'What it made stays, and so does its name in the log: `hub erase user` takes that away too.',
    examples: [
      ['Somebody who has left, by name', '$0 user delete ada'],
      ['Without being asked on a terminal', '$0 user delete ada --yes']
    ]
  })

  readonly named = Option.String({ name: 'user' })
  readonly yes = Option.Boolean('--yes', false, { description: TERMINAL_YES_HELP })

  protected async on(ledger: Ledger): Promise<void> {
    const { id, name } = await changeableUser(ledger, this.named)
    const tokens = (await listTokens(ledger.view, id)).length
    await this.confirmAtTerminal(`Delete user "${name}" with ${counted(tokens, 'token')}?`, this.yes)
    await ledger.run({ type: 'DeleteUser', id }, systemOrigin)
    this.answer({ id, name, tokens, deleted: true }, `Deleted user "${name}" (${id}).`)
  }
}
