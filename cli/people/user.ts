import { randomUUID } from 'node:crypto'
import { Option } from 'clipanion'
import { groupIn, groupsOf } from '../../commands/people/group/membership.js'
import { tokensTable } from '../../commands/people/token/table.js'
import { nounOf } from '../../commands/records/kind.js'
import { lockables } from '../../commands/records/kinds.js'
import { accountOf, tokenRecord, type UserRow } from '../../queries/callers.js'
import { tokensUsed } from '../../queries/llm.js'
import { listUsers, staleAccess, userRecord } from '../../queries/users.js'
import { type Ledger, systemOrigin } from '../../src/ledger/ledger.js'
import { issueToken } from '../../src/ledger/secrets.js'
import { offeredIds } from '../../src/llm/catalog.js'
import type { ReadStore } from '../../src/storage/storage.js'
import { AccountCommand, requireNoAccess, userBlock } from '../lib/account.js'
import { counted, LedgerCommand, TERMINAL_YES_HELP, usage } from '../lib/command.js'
import { UsageError } from '../lib/errors.js'
import { changeableUser, currentToken, currentUser, userNamed } from '../lib/names.js'
import type { Texts } from '../lib/table.js'
import { InvitingCommand } from './user-invite.js'
import { issuedTokenBlock } from './user-token-issue.js'

export class UserListCommand extends LedgerCommand {
  static override readonly usage = usage('user list', {
    description: 'List the accounts by name, and warn of access to what is gone',
    examples: [
      ['Everybody', '$0 user list'],
      ['For a script', '$0 user list --json']
    ]
  })

  protected async on({ readModel }: Ledger): Promise<void> {
    const rows = await listUsers(readModel)
    const warnings = await staleAccess(readModel, rows, offeredIds(this.config()))
    if (this.json) {
      const users = rows.map((row) => ({ ...JSON.parse(userRecord(row)), warnings: warnings.get(row.id) ?? [] }))
      return this.printJson({ users })
    }
    if (rows.length === 0) return this.print('No users found.')
    const blocks: string[] = []
    for (const row of rows) blocks.push(...userBlock(row, await usageOf(readModel, row.id)))
    this.printList(
      ['id', 'name', 'role', ...lockables.map((kind) => `${nounOf(kind)}s`), 'llm'],
      rows.map(userCells),
      blocks
    )
    for (const row of rows)
      for (const warning of warnings.get(row.id) ?? []) this.warn(`Warning: ${row.name} (${row.id}): ${warning}`)
  }
}

export class UserShowCommand extends LedgerCommand {
  static override readonly usage = usage('user show', {
    description: 'Show one account',
    examples: [['By its name', '$0 user show ada']]
  })

  readonly named = Option.String({ name: 'user' })

  protected async on({ readModel }: Ledger): Promise<void> {
    const row = await userNamed(readModel, this.named)
    const more = { ...(await groupsText(readModel, row)), ...(await usageOf(readModel, row.id)) }
    this.answer(JSON.parse(userRecord(row)), ...userBlock(row, more))
  }
}

/** The groups of an account, by what they are called, as a field of its block. */
async function groupsText(read: ReadStore, row: UserRow): Promise<Readonly<Record<string, string>>> {
  const names = (await groupsOf(row, read)).map((group) => groupIn(group).name)
  return names.length > 0 ? { groups: names.join(', ') } : {}
}

/** What an account has spent of its LLM tokens in this UTC month, as a field of its block. */
async function usageOf(read: ReadStore, userId: string) {
  const period = new Date().toISOString().slice(0, 'yyyy-mm'.length)
  return { [`llm tokens used (${period})`]: await tokensUsed(read, userId, period) }
}

/** An account as a row of a table: access lists by how long they are. */
function userCells(row: UserRow): Texts {
  const account = accountOf(row)
  const size = (list: readonly string[]) => (list.includes('*') ? 'all' : list.length === 0 ? '-' : String(list.length))
  const lists = lockables.map(({ access }) => size(account[access]))
  return [row.id, account.name, account.role, ...lists, account.llmAccess ? size(account.llmModels) : '-']
}

/** The options that give all of every access list. */
const everyAccess = ['collection', 'environment', 'snippet', 'live-server', 'live-page']
  .map((kind) => `--${kind}-access "*"`)
  .join(' ')

export class UserCreateCommand extends InvitingCommand {
  static override readonly usage = usage('user create', {
    description: 'Create an account and its first token, whose secret is shown once',
    examples: [
      [
        'A user who may do everything',
        `$0 user create --name alice --role user ${everyAccess} --llm-access --llm-model "*"`
      ],
      ['An administrator', '$0 user create --name operations --role admin'],
      ['A machine', '$0 user create --name nightly-report --role user --service --collection-access Payments']
    ]
  })

  readonly service = Option.Boolean('--service', false, {
    description: 'Make it the account of a machine, which nobody signs in as'
  })
  readonly invite = Option.Boolean('--invite', false, { description: 'Make an invitation instead of a token' })

  protected async run(): Promise<void> {
    if (this.invite && this.service) throw new UsageError('Nobody is invited as a machine: give --invite or --service.')
    if (this.invite) return this.inviteNew()
    if ((this.expiresInHours ?? this.baseUrl) !== undefined)
      throw new UsageError('--expires-in-hours and --base-url are of an invitation: add --invite.')
    const account = this.newAccount()
    const avatar = this.avatar()
    const { secret, token } = issueToken(this.config().tokens, Date.now())
    await this.withLedger(async (ledger) => {
      const id = randomUUID()
      const withIds = await this.withIds(ledger.readModel, account)
      await ledger.run(
        { type: 'CreateUser', id, account: withIds, isService: this.service, avatar, token },
        systemOrigin
      )
      const user = await currentUser(ledger, id)
      const tokenRow = await currentToken(ledger, token.tokenId)
      const documents = { user: JSON.parse(userRecord(user)), token: JSON.parse(tokenRecord(tokenRow, null)), secret }
      const made = `Created user "${user.name}" (${id}) with role ${account.role}.`
      this.answer(documents, made, ...userBlock(user), '', ...issuedTokenBlock(tokenRow, user.name, secret))
    })
  }
}

export class UserUpdateCommand extends AccountCommand {
  static override readonly usage = usage('user update', {
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
      if ((changes.role ?? role) !== 'user') requireNoAccess(changes)
      const withIds = await this.withIds(ledger.readModel, changes)
      await ledger.run({ type: 'UpdateUser', id, changes: withIds, avatar }, systemOrigin)
      const user = await currentUser(ledger, id)
      this.answer(JSON.parse(userRecord(user)), `Updated user "${user.name}" (${user.id}).`)
    })
  }
}

export class UserDeleteCommand extends LedgerCommand {
  static override readonly usage = usage('user delete', {
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
    const tokens = await ledger.readModel.count(tokensTable, 'byUser', [id])
    await this.confirmAtTerminal(`Delete user "${name}" with ${counted(tokens, 'token')}?`, this.yes)
    await ledger.run({ type: 'DeleteUser', id }, systemOrigin)
    this.answer({ id, name, tokens, deleted: true }, `Deleted user "${name}" (${id}).`)
  }
}
