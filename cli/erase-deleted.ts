import { Command, Option } from 'clipanion'
import { planDeleted } from '../src/erasure/erase.js'
import { EraseCommand } from './erase-command.js'
import { kindValue } from './option-values.js'

/** `hub erase deleted`: see its description. */
export class EraseDeletedCommand extends EraseCommand {
  static override readonly paths = [['erase', 'deleted']]
  static override readonly usage = Command.Usage({
    category: 'Erasure',
    description: 'Erase a deleted record from the log, with all that went with it: it cannot be brought back then'
  })

  readonly kindName = Option.String({ name: 'kind' })
  readonly id = Option.String({ name: 'id' })

  protected run(): Promise<void> {
    const kind = kindValue(this.kindName)
    return this.withLedger(async (ledger) => this.erase(ledger, await planDeleted(ledger, kind, this.id)))
  }
}
