import { Option } from 'clipanion'
import { isInForce } from '../../commands/people/token/table.js'
import { usersTable } from '../../commands/people/user/table.js'
import { nameOf } from '../../commands/record.js'
import { type TokenRow, tokenRecord } from '../../queries/callers.js'
import { type Ledger, systemOrigin } from '../../src/ledger/ledger.js'
import { issueToken } from '../../src/ledger/secrets.js'
import { timeText } from '../../src/lib/clock.js'
import { AnsweringCommand, LedgerCommand, usage } from '../lib/command.js'
import { CliError, UsageError } from '../lib/errors.js'
import { changeableUser, currentToken, findToken } from '../lib/names.js'
import { nameValue } from '../lib/option-values.js'
import { endValue } from '../lib/times.js'

export class UserTokenCreateCommand extends AnsweringCommand {
  static override readonly usage = usage('user token create', {
    description: 'Create a token for an account; its secret is shown once',
    examples: [
      ['A token for a second laptop', '$0 user token create ada --name laptop'],
      ['One with which agents may write too', '$0 user token create ada --name editor --agent-writes'],
      ['For a program that reads for a quarter', '$0 user token create ada --name report --scope read --expires-in 90d']
    ]
  })

  readonly user = Option.String('--user', {
    description: '<USER> The account, by its id or name; it may also stand as the argument'
  })
  readonly name = Option.String('--name', { description: '<NAME> What the token is for' })
  readonly agentWrites = Option.Boolean('--agent-writes', false, {
    description: 'Let agents write with it at /mcp; without it they only read'
  })
  readonly expiresIn = Option.String('--expires-in', {
    description: '<TIME> How long it is in force: 90d, 12h, 8w, or never; the configuration says the default'
  })
  readonly scopes = Option.Array('--scope', {
    description:
      '<SCOPE> What it is limited to: read, write, llm, agent, admin:read, scim, or collection: with an id; repeatable'
  })
  readonly named = Option.String({ name: 'user', required: false })

  protected async run(): Promise<void> {
    const idOrName = this.#user()
    const name = nameValue(this.name)
    const { agentWrites, scopes, expiresIn } = this
    const now = Date.now()
    const expiresAt = expiresIn === undefined ? undefined : endValue('--expires-in', expiresIn, now)
    const { secret, token } = issueToken(this.config().tokens, now, { agentWrites, expiresAt, scopes })
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

export class UserTokenRotateCommand extends LedgerCommand {
  static override readonly usage = usage('user token rotate', {
    description: 'Issue a token in place of another one, with both in force for a while',
    details:
      'The new one has the name, the scopes and the account of the old one, and an end as a new token has it. The old one ends after --keep.',
    examples: [
      ['With a week to change over', '$0 user token rotate laptop'],
      ['At once, for one that was seen', '$0 user token rotate hbk_a1B2c3D4 --keep 1m']
    ]
  })

  readonly named = Option.String({ name: 'token' })
  readonly keep = Option.String('--keep', '7d', {
    description: '<TIME> How long the old one stays in force: 7d, 12h, 30m; a week by default'
  })
  readonly expiresIn = Option.String('--expires-in', {
    description: '<TIME> How long the new one is in force: 90d, 12h, 8w, or never; the configuration says the default'
  })

  protected async on(ledger: Ledger): Promise<void> {
    const now = ledger.now()
    const until = endValue('--keep', this.keep, now)
    if (until === null) throw new CliError('--keep must be a length of time: the old token ends then.')
    const isOn = (row: TokenRow) => isInForce(row, timeText(now))
    const old = await findToken(ledger.readModel, this.named, isOn)
    if (!old || !isOn(old)) throw new CliError(`No active API token found with id ${this.named}.`)
    const expiresAt = this.expiresIn === undefined ? undefined : endValue('--expires-in', this.expiresIn, now)
    const { secret, token } = issueToken(this.config().tokens, now, { expiresAt })
    await ledger.run({ type: 'RotateToken', id: old.id, until, token }, systemOrigin)
    const [row, before] = [await currentToken(ledger, token.tokenId), await currentToken(ledger, old.id)]
    const owner = (await ledger.readModel.get(usersTable, row.userId))?.name ?? row.userId
    const document = {
      token: JSON.parse(tokenRecord(row, null)),
      secret,
      replaces: { id: old.id, expiresAt: before.expiresAt }
    }
    const told = `It replaces ${before.prefix} (${before.id}), which ends at ${before.expiresAt}.`
    this.answer(document, ...issuedTokenBlock(row, owner, secret), '', told)
  }
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
