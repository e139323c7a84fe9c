import { Command, Option } from 'clipanion'
import { z } from 'zod'
import { statusOf } from '../commands/invitation/decide.js'
import { invitationRecord, listInvitations } from '../queries/invitations.js'
import { type Ledger, systemOrigin } from '../src/ledger.js'
import { AnsweringCommand, LedgerCommand } from './command.js'
import { CliError, UsageError } from './errors.js'
import { InvitingCommand } from './invite-command.js'
import { findInvitation, userNames } from './names.js'
import { oneOfValue } from './option-values.js'

const STATES = ['pending', 'redeemed', 'revoked', 'expired'] as const

export class UserInviteCreateCommand extends InvitingCommand {
  static override readonly paths = [['user', 'invite', 'create']]
  static override readonly usage = Command.Usage({
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
  static override readonly paths = [['user', 'invite', 'list']]
  static override readonly usage = Command.Usage({
    description: 'List invitations, the newest first; never their secrets',
    examples: [
      ['Those that can still be redeemed', '$0 user invite list --status pending'],
      ['Those that nobody has redeemed in time', '$0 user invite list --status expired']
    ]
  })

  readonly status = Option.String('--status', { description: `<STATUS> Only these: ${STATES.join(', ')}` })

  protected run(): Promise<void> {
    const status = this.status === undefined ? undefined : oneOfValue('--status', this.status, STATES)
    return this.withLedger(async ({ view }) => {
      const now = new Date().toISOString()
      const all = await listInvitations(view)
      const rows = status === undefined ? all : all.filter((row) => statusOf(row, now) === status)
      if (this.json) return this.printJson({ invitations: rows.map((row) => JSON.parse(invitationRecord(row, now))) })
      if (rows.length === 0) return this.print('No invitations found.')
      const names = await userNames(view, rows, ({ userId }) => userId)
      const cells = rows.map((row) => {
        const { codePrefix } = shown.parse(JSON.parse(row.body))
        return [row.id, names.get(row.userId) ?? row.userId, codePrefix, statusOf(row, now), row.expiresAt]
      })
      const lines = cells.flatMap((cells) => [cells.slice(0, 4).join('  '), `  expires: ${cells[4]}`])
      this.printList(['id', 'user', 'prefix', 'status', 'expires'], cells, lines)
    })
  }
}

export class UserInviteRevokeCommand extends LedgerCommand {
  static override readonly paths = [['user', 'invite', 'revoke']]
  static override readonly usage = Command.Usage({
    description: 'Revoke an invitation before it is redeemed',
    examples: [['The one of an account', '$0 user invite revoke bob']]
  })

  readonly named = Option.String({ name: 'invitation-or-user' })

  protected async on(ledger: Ledger): Promise<void> {
    const now = new Date().toISOString()
    const row = await findInvitation(ledger.view, this.named, now)
    if (!row || statusOf(row, now) !== 'pending')
      throw new CliError(`No pending invitation found with id ${this.named}.`)
    await ledger.run({ type: 'RevokeInvitation', id: row.id }, systemOrigin)
    this.answer({ id: row.id, revoked: true }, `Revoked invitation ${row.id}.`)
  }
}
