import { Option } from 'clipanion'
import { isInForce, limitsOf, tokensTable } from '../../commands/people/token/table.js'
import { usersTable } from '../../commands/people/user/table.js'
import { nameOf } from '../../commands/record.js'
import { sessionsAmong, type TokenRow, tokenParts, tokenRecords } from '../../queries/callers.js'
import { type Ledger, systemOrigin } from '../../src/ledger/ledger.js'
import { timeText } from '../../src/lib/clock.js'
import { wholeRows } from '../../src/readmodel/manyRows.js'
import { AnsweringCommand, LedgerCommand, TERMINAL_YES_HELP, usage } from '../lib/command.js'
import { CliError } from '../lib/errors.js'
import { findToken, userNamed, userNames } from '../lib/names.js'
import { block, type Texts } from '../lib/table.js'
import { agoValue, endValue } from '../lib/times.js'

export class UserTokenListCommand extends AnsweringCommand {
  static override readonly usage = usage('user token list', {
    description: 'List tokens, the newest first; never their secrets',
    examples: [
      ['Those of one account', '$0 user token list --user ada'],
      ['Those that work and were not used for a month', '$0 user token list --unused 30d'],
      ['Those that end within two weeks', '$0 user token list --expiring 14d']
    ]
  })

  readonly user = Option.String('--user', {
    description: '<USER> The account, by its id or name; all accounts by default'
  })
  readonly unused = Option.String('--unused', {
    description: '<TIME> Only those that are not revoked and were neither made nor used for so long: 30d, 12h, 8w'
  })

  readonly expiring = Option.String('--expiring', {
    description:
      '<TIME> Only those that are in force and end within so long, without sessions of browsers: 14d, 12h, 2w'
  })

  protected run(): Promise<void> {
    const now = Date.now()
    const end = this.expiring === undefined ? undefined : endValue('--expiring', this.expiring, now)
    if (end === null) throw new CliError('--expiring must be a length of time such as 14d, 12h or 2w.')
    const before = this.unused === undefined ? undefined : agoValue('--unused', this.unused)
    return this.withLedger(async ({ readModel, uses }) => {
      const user = this.user === undefined ? undefined : await userNamed(readModel, this.user)
      const used = await uses.all()
      const isUnused = (row: TokenRow) => row.revokedAt === null && (used.get(row.id) ?? row.createdAt) < (before ?? '')
      const isEnding = (row: TokenRow) =>
        row.expiresAt !== null && isInForce(row, timeText(now)) && row.expiresAt <= (end ?? '')
      const rows: TokenRow[] = []
      for await (const part of tokenParts(readModel, user?.id)) {
        const asked = part.filter(
          (row) => (before === undefined || isUnused(row)) && (end === undefined || isEnding(row))
        )
        const sessions = end === undefined ? new Set() : await sessionsAmong(readModel, asked)
        const ids = asked.map(({ id }) => id).filter((id) => !sessions.has(id))
        for await (const row of wholeRows(readModel, tokensTable, ids)) rows.push(row)
      }
      if (before !== undefined) this.warn(`Neither made nor used since ${before}.`)
      const lastUse = (row: TokenRow) => used.get(row.id) ?? null
      if (this.json) {
        const records = await tokenRecords(readModel, rows, used)
        return this.printJson({ tokens: records.map((record) => JSON.parse(record)) })
      }
      if (rows.length === 0) return this.print('No API tokens found.')
      const names = await userNames(readModel, rows, ({ userId }) => userId)
      this.printList(
        ['id', 'user', 'name', 'prefix', 'scopes', 'agents', 'created', 'last used', 'ends', 'revoked'],
        rows.map((row) => [
          ...[row.id, names.get(row.userId) ?? row.userId, nameOf(row), row.prefix, scopesOf(row), agentsMay(row)],
          ...[row.createdAt, lastUse(row) ?? '-', row.expiresAt ?? '-', row.revokedAt ?? '-']
        ]),
        rows.flatMap((row) => tokenBlock(row, lastUse(row)))
      )
    })
  }
}

export class UserTokenRevokeCommand extends LedgerCommand {
  static override readonly usage = usage('user token revoke', {
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

/** What a token is limited to. */
function scopesOf(row: TokenRow): string {
  return limitsOf(row).scopes?.join(' ') ?? 'all'
}

/** What agents may do with a token. */
function agentsMay(row: TokenRow): string {
  return limitsOf(row).agentWrites ? 'read and write' : 'read'
}

/** A token in a listing as a block of lines. */
function tokenBlock(row: TokenRow, lastUsedAt: string | null): Texts {
  return block({
    ...{ id: row.id, 'user id': row.userId, name: nameOf(row), prefix: row.prefix },
    ...{ scopes: scopesOf(row), agents: agentsMay(row), created: row.createdAt, 'last used': lastUsedAt ?? '-' },
    ...{ ends: row.expiresAt ?? '-', revoked: row.revokedAt ?? '-' }
  })
}
