import { Command } from 'clipanion'
import { AnsweringCommand } from './command.js'

/** `hub search rebuild`: the search index anew from the records, while the hub goes on serving. */
export class SearchRebuildCommand extends AnsweringCommand {
  static override readonly paths = [['search', 'rebuild']]
  static override readonly usage = Command.Usage({
    category: 'Projections',
    description: 'Make the search index anew from the records',
    details:
      'Searches find what is in it meanwhile, and say that it is not complete. Interrupted, it goes on with the next search, or in a hub that runs.',
    examples: [['Where doctor says that it does not come forward', '$0 search rebuild']]
  })

  protected run(): Promise<void> {
    return this.withLedger(async ({ indexer, view }) => {
      const started = performance.now()
      await indexer.restart()
      await indexer.bringForward()
      const seconds = (performance.now() - started) / 1000
      const { position } = view.head
      if (this.json) return this.printJson({ position, seconds })
      this.print(
        `Made the search index anew in ${seconds.toFixed(1)} s: it has what was written up to position ${position}.`
      )
    })
  }
}
