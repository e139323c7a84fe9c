import { Command, Option } from 'clipanion'
import { planAccount } from '../src/erasure/erase.js'
import { EraseCommand } from './erase-command.js'

/** `hub erase user`: see its description. */
export class EraseUserCommand extends EraseCommand {
  static override readonly paths = [['erase', 'user']]
  static override readonly usage = Command.Usage({
    category: 'Erasure',
    description: 'Erase a deleted account from the log: all that happened to it, its name and its addresses'
  })

  readonly id = Option.String({ name: 'id' })

  protected run(): Promise<void> {
    return this.withLedger(async (ledger) => this.erase(ledger, await planAccount(ledger, this.id)))
  }
}
