import { Command } from 'clipanion'
import { deletedRecords, listDeleted } from '../queries/departures.js'
import { AnsweringCommand } from './command.js'

/** `hub deleted`: what is deleted and can be brought back. */
export class DeletedCommand extends AnsweringCommand {
  static override readonly paths = [['deleted']]
  static override readonly usage = Command.Usage({
    category: 'History',
    description: 'List what is deleted and can be brought back, the newest first'
  })

  protected run(): Promise<void> {
    return this.withLedger(async ({ view }) => {
      const deleted = await deletedRecords(view, await listDeleted(view))
      if (this.json) return this.printJson({ deleted })
      if (deleted.length === 0) return this.print('Nothing is deleted.')
      for (const { kind, id, name, deletedAt, held } of deleted) {
        const inside = held.folders + held.requests + held.documents
        this.print(`${deletedAt}  ${kind} ${id}  ${name}${inside > 0 ? `  with ${inside} things in it` : ''}`)
      }
    })
  }
}
