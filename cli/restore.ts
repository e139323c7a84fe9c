import { Command, Option } from 'clipanion'
import { kinds } from '../commands/kinds.js'
import { restore } from '../src/history/restore.js'
import { editorAgent } from '../src/ledger.js'
import { versionValue } from './option-values.js'
import { RecordCommand } from './record-command.js'

/** `hub restore`: gives a record the content of one of its versions. */
export class RestoreCommand extends RecordCommand {
  static override readonly paths = [['restore']]
  static override readonly usage = Command.Usage({
    category: 'History',
    description: 'Give a record the content of one of its versions, as one more version'
  })

  readonly version = Option.String('--version', { required: true, description: 'A version that hub history lists' })

  protected run(): Promise<void> {
    const { kind, id } = this
    const version = versionValue('--version', this.version)
    return this.withLedger(async (ledger) => {
      const { row, place } = await restore(ledger, editorAgent, kind, id, version)
      if (this.json) return this.printJson(JSON.parse(kinds[kind].record(row, place)))
      this.print(`Restored ${kind} ${id} to version ${version}.`)
    })
  }
}
