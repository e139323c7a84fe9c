import { Command, Option } from 'clipanion'
import { versions } from '../projections/index.js'
import type { Ledger } from '../src/ledger.js'
import { liveProjections, prune, rollback } from '../src/rebuild.js'
import { rebuildInThread } from '../src/rebuildThread.js'
import { AnsweringCommand, LedgerCommand } from './command.js'
import { progressLine } from './progress.js'

export class ProjectionsListCommand extends AnsweringCommand {
  static override readonly paths = [['projections', 'list']]
  static override readonly usage = Command.Usage({
    description: 'List the read tables with the versions of their projectors',
    examples: [['All of them', '$0 projections list']]
  })

  protected run(): Promise<void> {
    return this.withStorage(async (storage) => {
      const { built, generation } = await liveProjections(storage)
      const tables = Object.entries(versions).map(([table, version]) => {
        return { table, version, built: built[table] ?? null }
      })
      const lines = tables.map(({ table, version, built }) => {
        const older = built === version ? '' : `, built with ${built ?? 'none'}: run hub migrate`
        return `  ${table}: version ${version}${older}`
      })
      this.answer({ generation, tables }, `Generation ${generation}`, ...lines)
    })
  }
}

export class ProjectionsRebuildCommand extends AnsweringCommand {
  static override readonly paths = [['projections', 'rebuild']]
  static override readonly usage = Command.Usage({
    description: 'Build every read table anew from the log beside the live ones, then switch to them',
    details: 'Readers and writers go on meanwhile. The old tables stay until --prune or the next rebuild drops them.',
    examples: [['And keep the old ones', '$0 projections rebuild']]
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
      const took = `${seconds.toFixed(1)} s (${Math.round(position / seconds)} events/s)`
      const rebuilt = `Rebuilt ${position} events in ${took} as generation ${generation}.`
      const lines = [rebuilt, ...(dropped === null ? [] : [`Dropped generation ${dropped}.`])]
      this.answer({ generation, events: position, seconds, dropped }, ...lines)
    })
  }
}

export class ProjectionsRollbackCommand extends LedgerCommand {
  static override readonly paths = [['projections', 'rollback']]
  static override readonly usage = Command.Usage({
    description: 'Switch back to the read tables that were live before, after bringing them up to date',
    details: 'The last ones are there until `hub projections rebuild` builds others, or drops them with --prune.',
    examples: [['After a rebuild that should not have been', '$0 projections rollback']]
  })

  protected async on({ storage, sealing }: Ledger): Promise<void> {
    await this.compareClock(storage)
    const { position } = await storage.head()
    const bar = progressLine(this.context.stderr, 'Catching up', position)
    const generation = await rollback(storage, bar.at, sealing.link)
    bar.done()
    this.answer({ generation }, `Generation ${generation} is live again.`)
  }
}
