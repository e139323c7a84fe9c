import { Command, Option } from 'clipanion'
import type { FieldChange } from '../src/history/changes.js'
import { diffOf } from '../src/history/history.js'
import { versionValue } from './option-values.js'
import { RecordCommand } from './record-command.js'

/** `hub diff`: what differs between two versions of a record, field by field. */
export class DiffCommand extends RecordCommand {
  static override readonly paths = [['diff'], ['audit', 'diff']]
  static override readonly usage = Command.Usage({
    category: 'History',
    description: 'Print what differs between two versions of a record, field by field; by default its last two'
  })

  readonly from = Option.String('--from', { description: 'The older version; by default the one before --to' })
  readonly to = Option.String('--to', { description: 'The newer version; by default the last' })

  protected run(): Promise<void> {
    const { kind, id } = this
    return this.withLedger(async (ledger) => {
      const from = this.from === undefined ? undefined : versionValue('--from', this.from)
      const to = this.to === undefined ? undefined : versionValue('--to', this.to)
      const difference = await diffOf(ledger, kind, id, { from, to })
      if (this.json) return this.printJson({ kind, id, ...difference })
      this.print(...lines(difference.changes))
      if (difference.more) this.print(`… and ${difference.more} fields more.`)
    })
  }
}

/** A changed field in two lines: what it was and what it is. */
export function lines(changes: readonly FieldChange[]): readonly string[] {
  return changes.flatMap((change) => [
    ...('from' in change ? [`- ${change.path}: ${JSON.stringify(change.from)}`] : []),
    ...('to' in change ? [`+ ${change.path}: ${JSON.stringify(change.to)}`] : [])
  ])
}
