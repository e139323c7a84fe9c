import { Command, Option } from 'clipanion'
import { statusOf } from '../commands/invitation/decide.js'
import { invitationsTable } from '../projections/invitations.js'
import { systemAgent } from '../src/ledger.js'
import { HubCommand } from './command.js'

/** `hub user invite revoke`: the secret opens nothing any more. An invitation that is not pending is no failure. */
export class UserInviteRevokeCommand extends HubCommand {
  static override readonly paths = [['user', 'invite', 'revoke']]
  static override readonly usage = Command.Usage({
    category: 'Invitations',
    description: 'Revoke an invitation before it is redeemed'
  })

  readonly id = Option.String({ name: 'invitation-id' })

  protected run(): Promise<void> {
    return this.withLedger(async (ledger) => {
      const row = await ledger.view.get(invitationsTable, this.id)
      const isPending = row && statusOf(row, new Date().toISOString()) === 'pending'
      if (!isPending) return this.print(`No pending invitation found with id ${this.id}.`)
      await ledger.run({ type: 'RevokeInvitation', id: this.id }, systemAgent)
      this.print(`Revoked invitation ${this.id}.`)
    })
  }
}
