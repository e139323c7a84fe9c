import { Command, Option } from 'clipanion'
import { prune } from '../src/rebuild.js'
import { rebuildInThread } from '../src/rebuildThread.js'
import { AnsweringCommand } from './command.js'
import { progressLine } from './progress.js'

/** `hub projections rebuild`: every read table anew from the log, while the hub goes on serving. */
export class ProjectionsRebuildCommand extends AnsweringCommand {
  static override readonly paths = [['projections', 'rebuild']]
  static override readonly usage = Command.Usage({
    category: 'Projections',
    description: 'Build every read table anew from the log beside the live ones, then switch to them',
    details: 'Readers and writers go on meanwhile. The old tables stay until --prune or the next rebuild drops them.'
  })

  readonly prune = Option.Boolean('--prune', false, { description: 'Drop the tables that were live before' })

  protected run(): Promise<void> {
    const config = this.config()
    return this.withStorage(async (storage) => {
      await this.compareClock(storage)
      const { position } = await storage.head()
      const bar = progressLine(this.context.stderr, 'Rebuilding', position)
      const started = performance.now()
      const generation = await rebuildInThread(config, false, bar.at, this.host.notice)
      bar.done()
      const seconds = (performance.now() - started) / 1000
      const dropped = this.prune ? await prune(storage) : null
      if (this.json) return this.printJson({ generation, events: position, seconds, dropped })
      const rate = Math.round(position / seconds)
      this.print(
        `Rebuilt ${position} events in ${seconds.toFixed(1)} s (${rate} events/s) as generation ${generation}.`
      )
      if (dropped !== null) this.print(`Dropped generation ${dropped}.`)
    })
  }
}
