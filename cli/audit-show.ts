import { Command, Option } from 'clipanion'
import { entriesOf, fullManner } from '../src/audit/entries.js'
import { masked } from '../src/audit/mask.js'
import { entryBlock } from './audit-query.js'
import { AnsweringCommand } from './command.js'
import { CliError } from './errors.js'
import { countValue } from './option-values.js'

/** `hub audit show`: one event with everything that it changed. */
export class AuditShowCommand extends AnsweringCommand {
  static override readonly paths = [['audit', 'show']]
  static override readonly usage = Command.Usage({
    category: 'Audit',
    description: 'Print one event: who, from where, and what it changed, field by field'
  })

  readonly position = Option.String({ name: 'position' })
  readonly reveal = Option.Boolean('--reveal', false, { description: 'Show secrets of variables and auth blocks' })

  protected run(): Promise<void> {
    const position = countValue('The position', this.position)
    return this.withLedger(async (ledger) => {
      const events = await ledger.storage.readHeaders(position - 1, 1)
      const how = this.reveal ? [] : [masked]
      const { value: found } = await entriesOf(ledger, events, { ...fullManner, how }).next()
      if (!found) throw new CliError(`There is no event at position ${position}.`)
      if (this.json) return this.printJson(found.entry)
      this.print(...entryBlock(found.entry))
    })
  }
}
