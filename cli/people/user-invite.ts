import { randomUUID } from 'node:crypto'
import { Option } from 'clipanion'
import { z } from 'zod'
import { statusOf } from '../../commands/people/invitation/decide.js'
import { invitationsTable } from '../../commands/people/invitation/table.js'
import { noAccess } from '../../commands/people/user/events.js'
import { accountOf, type UserRow } from '../../queries/callers.js'
import { invitationRecord, listInvitations, statesOf } from '../../queries/invitations.js'
import { userRecord } from '../../queries/users.js'
import { type Ledger, systemOrigin } from '../../src/ledger/ledger.js'
import { inviteLink, issueInvitation } from '../../src/ledger/secrets.js'
import { publicUrl } from '../../src/net/serverUrl.js'
import { AccountCommand, requireNoAccess, userBlock } from '../lib/account.js'
import { AnsweringCommand, LedgerCommand, usage } from '../lib/command.js'
import { UsageError } from '../lib/errors.js'
import { currentUser, existing, pendingInvitation, userNamed, userNames } from '../lib/names.js'
import { nameValue, oneOfValue, positiveValue, roleValue, urlValue } from '../lib/option-values.js'

/** An invitation with its secret, and the address that its link begins with. */
type Issued = ReturnType<typeof issueInvitation> & { readonly base: string }

/** A command that can invite: with the options of an invitation beside those of an account. */
export abstract class InvitingCommand extends AccountCommand {
  readonly expiresInHours = Option.String('--expires-in-hours', {
    description: '<HOURS> Hours until the invitation expires; the configuration says the default'
  })
  readonly baseUrl = Option.String('--base-url', {
    description:
      '<URL> Address of the hub as the invited person reaches it, for the invite link; by default server.publicUrl'
  })

  /** What every new account starts from. */
  protected newAccount() {
    const account = { ...noAccess, ...this.changes(), name: nameValue(this.name), role: roleValue(this.role) }
    if (account.role !== 'user') requireNoAccess(account)
    return account
  }

  /** Makes an account with an invitation instead of a token. */
  protected async inviteNew(): Promise<void> {
    const account = this.newAccount()
    const avatar = this.avatar()
    const issued = this.#issue()
    await this.withLedger(async (ledger) => {
      const id = randomUUID()
      const withIds = await this.withIds(ledger.readModel, account)
      const { invitation } = issued
      await ledger.run({ type: 'InviteUser', id, account: withIds, avatar, invitation }, systemOrigin)
      const user = await currentUser(ledger, id)
      const made = [`Created invited user "${user.name}" (${id}) with role ${account.role}.`, ...userBlock(user), '']
      await this.#show(ledger, user, issued, made)
    })
  }

  /** Makes another invitation for an account that is there. */
  protected async inviteExisting(idOrName: string): Promise<void> {
    const issued = this.#issue()
    await this.withLedger(async (ledger) => {
      const { id: userId } = await userNamed(ledger.readModel, idOrName)
      await ledger.run({ type: 'CreateInvitation', userId, invitation: issued.invitation }, systemOrigin)
      await this.#show(ledger, await currentUser(ledger, userId), issued, [])
    })
  }

  /** Reads the options before anything is made: the secret of what is made is told once. Throws a `CliError`. */
  #issue(): Issued {
    const { invitations, server } = this.config()
    const { expiresInHours, baseUrl } = this
    const hours = expiresInHours === undefined ? invitations.expiresInHours : positiveValue('Value', expiresInHours)
    return { ...issueInvitation(hours), base: baseUrl === undefined ? publicUrl(server) : urlValue(baseUrl) }
  }

  async #show(ledger: Ledger, user: UserRow, issued: Issued, made: readonly string[]): Promise<void> {
    const { secret, invitation, base } = issued
    const row = await existing(
      ledger.readModel,
      invitationsTable,
      invitation.invitationId,
      'The invitation is gone again.'
    )
    const link = inviteLink(base, accountOf(user), { expiresAt: row.expiresAt, secret }, this.subject)
    const shown = JSON.parse(
      invitationRecord(row, { status: statusOf(row, new Date().toISOString()), revokedAt: row.revokedAt })
    )
    this.answer(
      { user: JSON.parse(userRecord(user)), invitation: shown, secret, link },
      ...made,
      `Created invitation (${row.id}) for user "${user.name}" (${user.id}).`,
      `Invitation prefix: ${invitation.prefix}`,
      `Expires: ${row.expiresAt}`,
      '',
      'Store this invitation secret now; it will not be shown again:',
      secret,
      '',
      'Or send this link, which holds it:',
      link
    )
  }
}

const STATES = ['pending', 'redeemed', 'revoked', 'expired'] as const

export class UserInviteCreateCommand extends InvitingCommand {
  static override readonly usage = usage('user invite create', {
    description: 'Invite somebody: a new account, or with --user one that is there; the secret is shown once',
    examples: [
      [
        'A new colleague',
        '$0 user invite create --name bob --role user --collection-access "*" --base-url https://hub.example.com'
      ],
      ['Somebody who is there', '$0 user invite create --user bob']
    ]
  })

  readonly user = Option.String('--user', {
    description: '<USER> An account to invite again, by its id or name; it keeps what it has'
  })

  protected async run(): Promise<void> {
    if (this.user === undefined) return this.inviteNew()
    if (Object.keys({ ...this.changes(), ...this.avatar() }).length > 0)
      throw new UsageError('--user stands alone: the account keeps what it has.')
    return this.inviteExisting(this.user)
  }
}

const shown = z.object({ codePrefix: z.string() })

export class UserInviteListCommand extends AnsweringCommand {
  static override readonly usage = usage('user invite list', {
    description: 'List invitations, the newest first; never their secrets',
    examples: [
      ['Those that can still be redeemed', '$0 user invite list --status pending'],
      ['Those that nobody has redeemed in time', '$0 user invite list --status expired']
    ]
  })

  readonly status = Option.String('--status', { description: `<STATUS> Only these: ${STATES.join(', ')}` })

  protected run(): Promise<void> {
    const status = this.status === undefined ? undefined : oneOfValue('--status', this.status, STATES)
    return this.withLedger(async ({ readModel }) => {
      const now = new Date().toISOString()
      const all = await listInvitations(readModel)
      const stateIn = await statesOf(all, readModel, now)
      const rows = status === undefined ? all : all.filter((row) => stateIn(row).status === status)
      if (this.json)
        return this.printJson({ invitations: rows.map((row) => JSON.parse(invitationRecord(row, stateIn(row)))) })
      if (rows.length === 0) return this.print('No invitations found.')
      const names = await userNames(readModel, rows, ({ userId }) => userId)
      const cells = rows.map((row) => {
        const { codePrefix } = shown.parse(JSON.parse(row.body))
        return [row.id, names.get(row.userId) ?? row.userId, codePrefix, stateIn(row).status, row.expiresAt]
      })
      const lines = cells.flatMap((cells) => [cells.slice(0, 4).join('  '), `  expires: ${cells[4]}`])
      this.printList(['id', 'user', 'prefix', 'status', 'expires'], cells, lines)
    })
  }
}

export class UserInviteRevokeCommand extends LedgerCommand {
  static override readonly usage = usage('user invite revoke', {
    description: 'Revoke an invitation before it is redeemed',
    examples: [['The one of an account', '$0 user invite revoke bob']]
  })

  readonly named = Option.String({ name: 'invitation-or-user' })

  protected async on(ledger: Ledger): Promise<void> {
    const { id } = await pendingInvitation(ledger.readModel, this.named, new Date().toISOString())
    await ledger.run({ type: 'RevokeInvitation', id }, systemOrigin)
    this.answer({ id, revoked: true }, `Revoked invitation ${id}.`)
  }
}
