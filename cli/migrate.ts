import { Command, Option } from 'clipanion'
import { migrations } from '../migrations/index.js'
import { loadConfig } from '../src/config/load.js'
import type { HubConfig } from '../src/config/types.js'
import { openStorage } from '../src/hub.js'
import { type TakeoverReport, takeOverLegacy } from '../src/legacy.js'
import { outdated } from '../src/rebuild.js'
import { rebuildInThread } from '../src/rebuildThread.js'
import { migrateDatabase } from '../src/start.js'
import { AnsweringCommand } from './command.js'
import { progressLine } from './progress.js'

/** `hub migrate`: makes the configured database ready for this version. Harmless when it is already. */
export class MigrateCommand extends AnsweringCommand {
  static override readonly paths = [['migrate']]
  static override readonly usage = Command.Usage({
    category: 'Server',
    description: 'Set up the configured database, bring it up to this version, and take over an older hub',
    details: `
      Plain tables that an older hub left in the same database are taken over: their rows become events, and the tables
      stay as they are. With \`--from\` they are read from the database of another configuration file.
    `,
    examples: [
      ['Look first', '$0 migrate --dry-run'],
      ['From another database', '$0 migrate --from old.yaml']
    ]
  })

  readonly status = Option.Boolean('--status', false, { description: 'Only tell which migrations are done' })
  readonly dryRun = Option.Boolean('--dry-run', false, { description: 'Only tell what would be done' })
  readonly from = Option.String('--from', { description: 'Configuration file of the older hub, where it is elsewhere' })
  readonly tenant = Option.String('--tenant', { description: 'Tenant of the older hub to take over' })

  protected async run(): Promise<void> {
    const config = this.config()
    if (this.status || this.dryRun) await this.#tellStatus()
    if (this.status) return
    if (!this.dryRun) await migrateDatabase(config, this.host.notice)
    await this.#rebuildOutdated(config)
    const from = this.from === undefined ? config.db : loadConfig(this.from, this.context.env).config.db
    const report = await takeOverLegacy(config, from, { tenant: this.tenant, dryRun: this.dryRun }, this.host)
    if (report && this.json) this.printJson(report)
    else if (report) this.print(...takeoverLines(report, this.dryRun))
    if (!this.dryRun && !this.json) this.print('Database migration completed successfully.')
  }

  async #rebuildOutdated({ db }: HubConfig): Promise<void> {
    const storage = await openStorage(db, this.host.notice)
    try {
      if ((await storage.schema.applied()).length === 0) return
      const tables = await outdated(storage)
      if (tables.length === 0) return
      if (this.dryRun)
        return this.print(`pending: rebuild the read tables, since these have changed: ${tables.join(', ')}`)
      await this.compareClock(storage)
      const bar = progressLine(this.context.stderr, 'Rebuilding', (await storage.head()).position)
      const generation = await rebuildInThread(db, bar.at, this.host.notice)
      bar.done()
      if (!this.json)
        this.print(`Rebuilt the read tables as generation ${generation}: ${tables.join(', ')} had changed.`)
    } finally {
      await storage.close()
    }
  }

  async #tellStatus(): Promise<void> {
    const storage = await openStorage(this.config().db)
    try {
      const applied = new Set(await storage.schema.applied())
      const rows = migrations.map(({ number, name }) => ({ number, name, done: applied.has(number) }))
      if (this.json && this.status) return this.printJson({ migrations: rows })
      if (this.json) return
      for (const { number, name, done } of rows) this.print(`${done ? 'done   ' : 'pending'} ${number} ${name}`)
      for (const number of applied) if (number > migrations.length) this.print(`newer   ${number}`)
    } finally {
      await storage.close()
    }
  }
}

function takeoverLines({ tables, homeless }: TakeoverReport, dryRun: boolean): readonly string[] {
  return [
    dryRun ? 'An older hub is here. These records would be taken over:' : 'Took over an older hub:',
    ...tables.flatMap(({ table, taken, otherTenants, refused, notes }) => [
      `  ${table}: ${taken}${otherTenants > 0 ? `, ${otherTenants} of other tenants left out` : ''}`,
      ...notes.map((note) => `    note: ${note}`),
      ...refused.map(({ id, why }) => `    not taken: ${id}: ${why}`)
    ]),
    ...homeless.map((table) => `  ${table}: not taken, it has no home here yet`)
  ]
}
