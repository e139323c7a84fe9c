import { Command } from 'clipanion'
import { rollback } from '../src/rebuild.js'
import { AnsweringCommand } from './command.js'
import { progressLine } from './progress.js'

/** `hub projections rollback`: back to the read tables that were live before the last switch. */
export class ProjectionsRollbackCommand extends AnsweringCommand {
  static override readonly paths = [['projections', 'rollback']]
  static override readonly usage = Command.Usage({
    category: 'Projections',
    description: 'Switch back to the read tables that were live before, after bringing them up to date',
    details: 'The last ones are there until `hub projections rebuild` builds others, or drops them with --prune.'
  })

  protected run(): Promise<void> {
    return this.withLedger(async ({ storage, sealing }) => {
      await this.compareClock(storage)
      const { position } = await storage.head()
      const bar = progressLine(this.context.stderr, 'Catching up', position)
      const generation = await rollback(storage, bar.at, sealing.link)
      bar.done()
      if (this.json) return this.printJson({ generation })
      this.print(`Generation ${generation} is live again.`)
    })
  }
}
