import { Command, Option } from 'clipanion'
import { tokensTable } from '../projections/tokens.js'
import { systemAgent } from '../src/ledger.js'
import { HubCommand } from './command.js'

/** `hub user token revoke`: the token opens nothing from the next request on. One that is not active is no failure. */
export class UserTokenRevokeCommand extends HubCommand {
  static override readonly paths = [['user', 'token', 'revoke']]
  static override readonly usage = Command.Usage({
    category: 'Tokens',
    description: 'Revoke a token from the next request on; it stays in the list'
  })

  readonly id = Option.String({ name: 'token-id' })

  protected run(): Promise<void> {
    return this.withLedger(async (ledger) => {
      const token = await ledger.view.get(tokensTable, this.id)
      if (!token || token.revokedAt !== null) return this.print(`No active API token found with id ${this.id}.`)
      await ledger.run({ type: 'RevokeToken', id: this.id }, systemAgent)
      this.print(`Revoked API token ${this.id}.`)
    })
  }
}
