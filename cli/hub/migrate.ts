import type { Writable } from 'node:stream'
import { isDeepStrictEqual } from 'node:util'
import { Option } from 'clipanion'
import { migrations, NEWEST } from '../../migrations/index.js'
import { type TakeoverReport, takeOverLegacy, takeoverState } from '../../migrations/legacy.js'
import { schemaState } from '../../migrations/migrate.js'
import { listTenants } from '../../queries/tenants.js'
import { isThere, openStorage, requireNotNewer } from '../../src/app/databases.js'
import { rebuildInThread } from '../../src/app/rebuildThread.js'
import { migrateDatabase } from '../../src/app/start.js'
import type { DbConfig, HubConfig } from '../../src/config/types.js'
import { outdated, outdatedByLog } from '../../src/ledger/rebuild.js'
import { clockDoubt } from '../../src/lib/clock.js'
import { configOfTenant } from '../../src/tenants/config.js'
import { bringForward } from '../../src/tenants/setup.js'
import { AnsweringCommand, closing, usage } from '../lib/command.js'
import { CliError, errorLines, requireNone } from '../lib/errors.js'
import { progressLine } from '../lib/progress.js'

export class MigrateCommand extends AnsweringCommand {
  static override readonly usage = usage('migrate', {
    description: 'Set up the configured database, bring it up to this version, and take over an older hub',
    details: `
      Plain tables that an older hub left in the same database are taken over: their rows become events, and the tables
      stay as they are. With \`--from\` they are read from the database of another configuration file.
      With \`--json\` the document tells what was taken over, and is null where there is no older hub.
    `,
    examples: [
      ['Look first', '$0 migrate --dry-run'],
      ['A hub that cannot change its log', '$0 migrate --grants'],
      ['From another database', '$0 migrate --from old.yaml']
    ]
  })

  readonly status = Option.Boolean('--status', false, { description: 'Only tell which migrations are done' })
  readonly dryRun = Option.Boolean('--dry-run', false, { description: 'Only tell what would be done' })
  readonly grants = Option.Boolean('--grants', false, {
    description: 'Only print what gives a serving hub no more rights at the database than it needs, as SQL'
  })
  readonly from = Option.String('--from', {
    description: '<FILE> Configuration file of the older hub, where it is elsewhere'
  })
  override readonly tenant = Option.String('--tenant', { description: '<TENANT> Tenant of the older hub to take over' })

  /** What it names is none of this hub's. */
  protected override get subject(): null {
    return null
  }

  protected async run(): Promise<void> {
    const config = this.config()
    if (this.grants) return this.#printGrants(config)
    if (this.status || this.dryRun) await this.#printStatus()
    if (this.status) return
    if (!this.dryRun) await migrateDatabase(config, this.host.notice)
    const rebuilt = await rebuildOutdated(config, this.context.stderr, this.host, this.dryRun)
    if (rebuilt !== null && !this.json) this.print(rebuilt)
    const from = this.from === undefined ? config.db : this.load(this.from).config.db
    const report = await this.#takeOver(config, from)
    if (this.json) this.printJson(report)
    else if (report) this.print(...takeoverLines(report, this.dryRun))
    if (!this.dryRun && config.multitenancy.enabled) await this.#bringTenantsForward(config)
    if (!this.dryRun && !this.json) this.print('Database migration completed successfully.')
  }

  /** For all logs that are in the database of the hub. */
  async #printGrants(config: HubConfig): Promise<void> {
    const { db, multitenancy } = config
    const beside = multitenancy.enabled ? await this.withLedger(({ readModel }) => listTenants(readModel), config) : []
    const prefixes = beside
      .map((tenant) => configOfTenant(config, tenant).db)
      .filter((own) => isDeepStrictEqual({ ...own, prefix: db.prefix }, db))
      .map(({ prefix }) => prefix)
    await this.withStorage(async ({ schema }) => {
      if (!schema.grants) throw new CliError(`A database of ${db.driver} has no accounts to grant anything to.`)
      this.print(...(await schema.grants([db.prefix, ...prefixes])))
    }, config)
  }

  /** A running hub does so too, for each tenant that somebody asks for. Throws a `CliError` that names those where it failed. */
  async #bringTenantsForward(config: HubConfig): Promise<void> {
    const tenants = await this.withLedger(({ readModel }) => listTenants(readModel))
    const failed: string[] = []
    for (const row of tenants) {
      try {
        await bringForward(configOfTenant(config, row), this.host.notice)
      } catch (error) {
        failed.push(`Tenant ${row.tenant}: ${errorLines(error, false).join(' ')}`)
      }
    }
    requireNone(failed)
  }

  async #takeOver(config: HubConfig, from: DbConfig): Promise<TakeoverReport | null> {
    const { tenant, dryRun } = this
    try {
      return await takeOverLegacy(config, from, { tenant, dryRun }, this.host)
    } catch (error) {
      if (!dryRun) this.warn('The older hub may not be wholly taken over yet. Run this again: it goes on where it was.')
      throw error
    }
  }

  async #printStatus(): Promise<void> {
    const config = this.config()
    const numbers = isThere(config.db) ? await closing(openStorage(config.db), ({ schema }) => schema.applied()) : []
    const applied = new Set(numbers)
    const rows = migrations.map(({ number, name }) => ({ number, name, done: applied.has(number) }))
    const takeover = await takeoverState(config)
    if (this.json && this.status) return this.printJson({ migrations: rows, takeover })
    if (this.json) return
    for (const { number, name, done } of rows) this.print(`${done ? 'done   ' : 'pending'} ${number} ${name}`)
    if (takeover !== 'none') this.print(TAKEOVER_LINES[takeover])
    for (const number of applied) if (number > NEWEST) this.print(`newer   ${number}`)
  }
}

const TAKEOVER_LINES = {
  pending: 'pending takeover of the older hub whose tables are here: run hub migrate',
  unfinished: 'pending takeover of an older hub, begun and not finished: run hub migrate again, as it was run',
  done: 'done    takeover of an older hub'
} as const

function takeoverLines({ tables, unsupportedTables, models }: TakeoverReport, dryRun: boolean): readonly string[] {
  return [
    dryRun ? 'An older hub is here. These records would be taken over:' : 'Took over an older hub:',
    ...tables.flatMap(({ table, taken, otherTenants, leftOut, refused, notes }) => [
      `  ${table}: ${taken}${otherTenants > 0 ? `, ${otherTenants} of other tenants left out` : ''}`,
      ...notes.map((note) => `    note: ${note}`),
      ...Object.entries(leftOut).map(([what, count]) => `    left out: ${what}: ${count}`),
      ...refused.map(({ id, why }) => `    not taken: ${id}: ${why}`)
    ]),
    ...unsupportedTables.map(
      ({ table, records }) => `  ${table}: 0, ${records} not taken: this hub does not know the table`
    ),
    ...models.map((text) => `  models: ${text}`)
  ]
}

/**
 * Builds the read tables anew where another version of the hub built them, and returns what to tell about it; null where
 * there is nothing to do. With `dryRun` it only tells. Throws `NotReady` where they are a newer version's.
 */
export async function rebuildOutdated(
  config: Pick<HubConfig, 'db' | 'audit' | 'redis'>,
  terminal: Writable & { readonly isTTY?: boolean },
  { notice, acceptClock }: { readonly notice: (text: string) => void; readonly acceptClock: boolean },
  dryRun = false
): Promise<string | null> {
  if (!isThere(config.db)) return null
  return closing(openStorage(config.db, notice), async (storage) => {
    if ((await storage.schema.applied()).length === 0) return null
    const isOlder = (await schemaState(storage)) === 'older'
    const tables = isOlder ? await outdatedByLog(storage) : await outdated(storage)
    if (tables.length === 0) return null
    if (!isOlder) requireNotNewer(await storage.head())
    if (dryRun) return `pending: rebuild the read tables, since these have changed: ${tables.join(', ')}`
    const head = await storage.head()
    const doubt = clockDoubt(Date.now(), head, acceptClock)
    if (doubt !== null) notice(doubt)
    const bar = progressLine(terminal, 'Rebuilding', head.position)
    const generation = await rebuildInThread(config, true, bar.at, notice).finally(bar.done)
    if (generation === null) return null
    return `Rebuilt the read tables as generation ${generation}: ${tables.join(', ')} had changed.`
  })
}
