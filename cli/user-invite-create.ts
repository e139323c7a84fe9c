import { Command, Option } from 'clipanion'
import { CliError } from './errors.js'
import { InvitingCommand } from './invite-command.js'

/** `hub user invite create`: an account with an invitation, or another invitation for an account that is there. */
export class UserInviteCreateCommand extends InvitingCommand {
  static override readonly paths = [['user', 'invite', 'create']]
  static override readonly usage = Command.Usage({
    category: 'Invitations',
    description: 'Invite somebody: a new account, or with --user one that is there; the secret is shown once',
    examples: [
      [
        'A new colleague',
        '$0 user invite create --name bob --role user --collection-access "*" --base-url https://hub.example.com'
      ]
    ]
  })

  readonly user = Option.String('--user', { description: 'Id of an account to invite again; it keeps what it has' })

  protected async run(): Promise<void> {
    if (this.user === undefined) return this.inviteNew()
    if (Object.keys(this.changes()).length > 0)
      throw new CliError('--user stands alone: the account keeps what it has.')
    return this.inviteExisting(this.user)
  }
}
