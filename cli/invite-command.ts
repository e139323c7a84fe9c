import { randomUUID } from 'node:crypto'
import { Option } from 'clipanion'
import { noAccess } from '../commands/user/events.js'
import { invitationsTable } from '../projections/invitations.js'
import { accountOf, type UserRow } from '../queries/callers.js'
import { invitationRecord } from '../queries/invitations.js'
import { userRecord } from '../queries/users.js'
import { inviteLink, issueInvitation } from '../src/issue.js'
import { type Ledger, systemOrigin } from '../src/ledger.js'
import { publicUrl } from '../src/serverUrl.js'
import { AccountCommand, requireNoAccess } from './account-options.js'
import { CliError } from './errors.js'
import { currentUser, userNamed } from './names.js'
import { nameValue, positiveValue, roleValue, urlValue } from './option-values.js'
import { userBlock } from './user-show.js'

type Issued = ReturnType<typeof issueInvitation>

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
    if (account.role === 'admin') requireNoAccess(account)
    return account
  }

  /** Makes an account with an invitation instead of a token. */
  protected async inviteNew(): Promise<void> {
    const account = this.newAccount()
    const avatar = this.avatar()
    const issued = this.#issue()
    await this.withLedger(async (ledger) => {
      const id = randomUUID()
      const withIds = await this.withIds(ledger.view, account)
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
      const { id: userId } = await userNamed(ledger.view, idOrName)
      await ledger.run({ type: 'CreateInvitation', userId, invitation: issued.invitation }, systemOrigin)
      await this.#show(ledger, await currentUser(ledger, userId), issued, [])
    })
  }

  #issue(): Issued {
    const { invitations } = this.config()
    return issueInvitation(
      this.expiresInHours === undefined ? invitations.expiresInHours : positiveValue('Value', this.expiresInHours)
    )
  }

  async #show(ledger: Ledger, user: UserRow, { secret, invitation }: Issued, made: readonly string[]): Promise<void> {
    const row = await ledger.view.get(invitationsTable, invitation.invitationId)
    if (!row) throw new CliError('The invitation is gone again.')
    const base = this.baseUrl === undefined ? publicUrl(this.config().server) : urlValue(this.baseUrl)
    const link = inviteLink(base, accountOf(user), { expiresAt: row.expiresAt, secret }, this.subject)
    const shown = JSON.parse(invitationRecord(row, new Date().toISOString()))
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
