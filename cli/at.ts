import { Command, Option } from 'clipanion'
import { kinds, type Member } from '../commands/kinds.js'
import { errors } from '../src/errors.js'
import { placedAt } from '../src/history/members.js'
import { treeAt } from '../src/history/tree.js'
import { momentOf, positionAt } from '../src/log/moment.js'
import { CliError } from './errors.js'
import { RecordCommand } from './record-command.js'

/** `hub at`: a record as it was at a position of the log or at a time, as JSON. */
export class AtCommand extends RecordCommand {
  static override readonly paths = [['at']]
  static override readonly usage = Command.Usage({
    category: 'History',
    description: 'Print a record as it was at a position of the log or at a time, as JSON'
  })

  readonly moment = Option.String({ name: 'position-or-time' })
  readonly tree = Option.Boolean('--tree', false, { description: 'Of a collection: with everything in it' })

  protected run(): Promise<void> {
    const { kind, id } = this
    if (this.tree && kind !== 'collection') throw new CliError('Option --tree is for a collection.')
    const moment = momentOf(this.moment, 'The moment')
    return this.withLedger(async (ledger) => {
      const position = await positionAt(ledger.storage, moment, 'The moment')
      if (this.tree) {
        const tree = await treeAt(ledger, id, position)
        if (!tree) throw errors.notThere(kinds[kind].label)
        const parsed = async (kind: Member) => {
          const found: unknown[] = []
          for await (const records of tree.records(kind)) for (const record of records) found.push(JSON.parse(record))
          return found
        }
        const [folders, requests] = [await parsed('folder'), await parsed('request')]
        const lists = { folders, requests, documents: await parsed('document') }
        return this.printJson({ position, collection: JSON.parse(tree.collection), ...lists })
      }
      const past = await placedAt(ledger, kind, id, position)
      if (!past) throw errors.notThere(kinds[kind].label)
      this.printJson(JSON.parse(kinds[kind].record(past.row, past.place)))
    })
  }
}
