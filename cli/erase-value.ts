import { Command, Option } from 'clipanion'
import { eraseValue } from '../src/erasure/value.js'
import { CliError } from './errors.js'
import { versionValue } from './option-values.js'
import { RecordCommand } from './record-command.js'

/** `hub erase value`: takes one text out of one version of a record for ever. */
export class EraseValueCommand extends RecordCommand {
  static override readonly paths = [['erase', 'value']]
  static override readonly usage = Command.Usage({
    category: 'Erasure',
    description: 'Erase one value, such as a secret, from one version of a record',
    examples: [
      ['A variable of a collection', '$0 erase value collection <id> --version 3 --path /variables/0/value --yes']
    ]
  })

  readonly version = Option.String('--version', { required: true, description: 'A version that hub history lists' })
  readonly pointer = Option.String('--path', { required: true, description: 'Where it is, as hub diff prints it' })
  readonly yes = Option.Boolean('--yes', false, { description: 'Do it' })

  protected run(): Promise<void> {
    const { kind, id, pointer: path } = this
    const version = versionValue('--version', this.version)
    if (!this.yes) throw new CliError(`This erases ${path} of version ${version} for ever. Add --yes to do it.`)
    return this.withLedger(async (ledger) => {
      const same = await eraseValue(ledger, kind, id, version, path)
      if (this.json) return this.printJson({ kind, id, version, path, sameIn: same })
      this.print(`Erased ${path} of version ${version}.`)
      if (same.length > 0)
        this.print(`The same value is in ${same.length > 1 ? 'versions' : 'version'} ${same.join(', ')}.`)
    })
  }
}
