import { Command, Option } from 'clipanion'
import { nameOf } from '../../projections/record.js'
import { allowsAgentWrites } from '../../projections/tokens.js'
import { usersTable } from '../../projections/users.js'
import { listTokens, type TokenRow, tokenRecord } from '../../queries/callers.js'
import { type Ledger, systemOrigin } from '../../src/ledger/ledger.js'
import { issueToken } from '../../src/ledger/secrets.js'
import { AnsweringCommand, LedgerCommand, TERMINAL_YES_HELP } from '../lib/command.js'
import { CliError, UsageError } from '../lib/errors.js'
import { changeableUser, currentToken, findToken, userNamed, userNames } from '../lib/names.js'
import { nameValue } from '../lib/option-values.js'
import { block, type Texts } from '../lib/table.js'
import { agoValue } from '../lib/times.js'

export class UserTokenCreateCommand extends AnsweringCommand {
  static override readonly paths = [['user', 'token', 'create']]
  static override readonly usage = Command.Usage({
    description: 'Create a token for an account; its secret is shown once',
    examples: [
      ['A token for a second laptop', '$0 user token create ada --name laptop'],
      ['One with which agents may write too', '$0 user token create ada --name editor --agent-writes']
    ]
  })

  readonly user = Option.String('--user', {
    description: '<USER> The account, by its id or name; it may also stand as the argument'
  })
  readonly name = Option.String('--name', { description: '<NAME> What the token is for' })
  readonly agentWrites = Option.Boolean('--agent-writes', false, {
    description: 'Let agents write with it at /mcp; without it they only read'
  })
  readonly named = Option.String({ name: 'user', required: false })

  protected async run(): Promise<void> {
    const idOrName = this.#user()
    const name = nameValue(this.name)
    const { secret, token } = issueToken(this.agentWrites)
    await this.withLedger(async (ledger) => {
      const user = await changeableUser(ledger, idOrName)
      await ledger.run({ type: 'CreateToken', userId: user.id, name, ...token }, systemOrigin)
      const row = await currentToken(ledger, token.tokenId)
      const document = { token: JSON.parse(tokenRecord(row, null)), secret }
      this.answer(document, ...issuedTokenBlock(row, user.name, secret))
    })
  }

  #user(): string {
    const { user, named } = this
    if (user !== undefined && named !== undefined && user !== named)
      throw new UsageError('Two different user ids are given.')
    const given = user ?? named
    if (given === undefined) throw new UsageError('Option --user is required.')
    return given
  }
}

export class UserTokenListCommand extends AnsweringCommand {
  static override readonly paths = [['user', 'token', 'list']]
  static override readonly usage = Command.Usage({
    description: 'List tokens, the newest first; never their secrets',
    examples: [
      ['Those of one account', '$0 user token list --user ada'],
      ['Those that work and were not used for a month', '$0 user token list --unused 30d']
    ]
  })

  readonly user = Option.String('--user', {
    description: '<USER> The account, by its id or name; all accounts by default'
  })
  readonly unused = Option.String('--unused', {
    description: '<TIME> Only those that are not revoked and were neither made nor used for so long: 30d, 12h, 8w'
  })

  protected run(): Promise<void> {
    const before = this.unused === undefined ? undefined : agoValue('--unused', this.unused)
    return this.withLedger(async ({ readModel, uses }) => {
      const user = this.user === undefined ? undefined : await userNamed(readModel, this.user)
      const [all, used] = [await listTokens(readModel, user?.id), await uses.all()]
      const isUnused = (row: TokenRow) => row.revokedAt === null && (used.get(row.id) ?? row.createdAt) < (before ?? '')
      const rows = before === undefined ? all : all.filter(isUnused)
      if (before !== undefined) this.warn(`Neither made nor used since ${before}.`)
      const lastUse = (row: TokenRow) => used.get(row.id) ?? null
      if (this.json) return this.printJson({ tokens: rows.map((row) => JSON.parse(tokenRecord(row, lastUse(row)))) })
      if (rows.length === 0) return this.print('No API tokens found.')
      const names = await userNames(readModel, rows, ({ userId }) => userId)
      this.printList(
        ['id', 'user', 'name', 'prefix', 'agents', 'created', 'last used', 'revoked'],
        rows.map((row) => [
          ...[row.id, names.get(row.userId) ?? row.userId, nameOf(row), row.prefix, agentsMay(row)],
          ...[row.createdAt, lastUse(row) ?? '-', row.revokedAt ?? '-']
        ]),
        rows.flatMap((row) => tokenBlock(row, lastUse(row)))
      )
    })
  }
}

export class UserTokenRevokeCommand extends LedgerCommand {
  static override readonly paths = [['user', 'token', 'revoke']]
  static override readonly usage = Command.Usage({
    description: 'Revoke a token from the next request on; it stays in the list',
    examples: [
      ['By its name, or the beginning that lists show', '$0 user token revoke laptop'],
      ['Without being asked on a terminal', '$0 user token revoke hbk_a1B2c3D4 --yes']
    ]
  })

  readonly named = Option.String({ name: 'token' })
  readonly yes = Option.Boolean('--yes', false, { description: TERMINAL_YES_HELP })

  protected async on(ledger: Ledger): Promise<void> {
    const token = await findToken(ledger.readModel, this.named, ({ revokedAt }) => revokedAt === null)
    if (!token || token.revokedAt !== null) throw new CliError(`No active API token found with id ${this.named}.`)
    const owner = (await ledger.readModel.get(usersTable, token.userId))?.name ?? token.userId
    await this.confirmAtTerminal(`Revoke token "${nameOf(token)}" (${token.prefix}) of "${owner}"?`, this.yes)
    await ledger.run({ type: 'RevokeToken', id: token.id }, systemOrigin)
    this.answer({ id: token.id, revoked: true }, `Revoked API token ${token.id}.`)
  }
}

/** What agents may do with a token. */
function agentsMay(row: TokenRow): string {
  return allowsAgentWrites(row) ? 'read and write' : 'read'
}

/** A token in a listing as a block of lines. */
function tokenBlock(row: TokenRow, lastUsedAt: string | null): Texts {
  return block({
    ...{ id: row.id, 'user id': row.userId, name: nameOf(row), prefix: row.prefix, agents: agentsMay(row) },
    ...{ created: row.createdAt, 'last used': lastUsedAt ?? '-', revoked: row.revokedAt ?? '-' }
  })
}

/** A new token with its secret, which is told here and never again. */
export function issuedTokenBlock(row: TokenRow, userName: string, secret: string): readonly string[] {
  return [
    `Created API token "${nameOf(row)}" (${row.id}) for user "${userName}".`,
    `Token prefix: ${row.prefix}`,
    '',
    'Store this token now; it will not be shown again:',
    secret
  ]
}
