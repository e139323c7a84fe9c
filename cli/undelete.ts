import { Command } from 'clipanion'
import { undelete } from '../src/history/undelete.js'
import { systemAgent } from '../src/ledger.js'
import { RecordCommand } from './record-command.js'

/** `hub undelete`: brings a deleted record back with everything that went with it. */
export class UndeleteCommand extends RecordCommand {
  static override readonly paths = [['undelete']]
  static override readonly usage = Command.Usage({
    category: 'History',
    description: 'Bring a deleted record back, under its old id and with everything that went with it'
  })

  protected run(): Promise<void> {
    const { kind, id } = this
    return this.withLedger(async (ledger) => {
      const restored = await undelete(ledger, systemAgent, kind, id)
      if (this.json) return this.printJson({ kind, id, restored })
      const counts = Object.entries(restored).map(([one, count]) => `${count} ${one}${count === 1 ? '' : 's'}`)
      this.print(`Brought back ${counts.join(', ')}.`)
    })
  }
}
