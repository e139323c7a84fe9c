import { createHash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { Option } from 'clipanion'
import { versions } from '../../projections/index.js'
import { type TableReport, type Verification, verify } from '../../projections/verify.js'
import { openScratch } from '../../src/app/databases.js'
import { rebuildInThread } from '../../src/app/rebuildThread.js'
import type { HubConfig } from '../../src/config/types.js'
import type { Ledger } from '../../src/ledger/ledger.js'
import { liveProjections, prune, rollback } from '../../src/ledger/rebuild.js'
import { AnsweringCommand, counted, LedgerCommand, type LookedAt, usage } from '../lib/command.js'
import { requireNone } from '../lib/errors.js'
import { minutesValue } from '../lib/option-values.js'
import { progressLine } from '../lib/progress.js'
import { stoppable } from '../lib/signals.js'

export class ProjectionsListCommand extends AnsweringCommand {
  static override readonly usage = usage('projections list', {
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
  static override readonly usage = usage('projections rebuild', {
    description: 'Build every read table anew from the log beside the live ones, then switch to them',
    details: 'Readers and writers go on meanwhile. The old tables stay until --prune or the next rebuild drops them.',
    examples: [['And keep the old ones', '$0 projections rebuild']]
  })

  readonly prune = Option.Boolean('--prune', false, { description: 'Drop the tables that were live before' })

  protected run(): Promise<void> {
    const config = this.config()
    return this.withStorage(async (storage) => {
      // The thread tells the hubs itself.
      await this.telling(storage, config, async () => {})
      const { position } = await storage.head()
      const bar = progressLine(this.context.stderr, 'Rebuilding', position)
      const started = performance.now()
      const generation = await rebuildInThread(config, false, bar.at, this.host.notice).finally(bar.done)
      const seconds = (performance.now() - started) / 1000
      const dropped = this.prune ? await prune(storage) : null
      const took = `${seconds.toFixed(1)} s (${Math.round(position / seconds)} events/s)`
      const rebuilt = `Rebuilt ${counted(position, 'event')} in ${took} as generation ${generation}.`
      const lines = [rebuilt, ...(dropped === null ? [] : [`Dropped generation ${dropped}.`])]
      this.answer({ generation, events: position, seconds, dropped }, ...lines)
    })
  }
}

export class ProjectionsRollbackCommand extends LedgerCommand {
  static override readonly usage = usage('projections rollback', {
    description: 'Switch back to the read tables that were live before, after bringing them up to date',
    details: 'The last ones are there until `hub projections rebuild` builds others, or drops them with --prune.',
    examples: [['After a rebuild that should not have been', '$0 projections rollback']]
  })

  protected async on({ storage, sealing }: Ledger): Promise<void> {
    await this.compareClock(storage)
    const { position } = await storage.head()
    const bar = progressLine(this.context.stderr, 'Catching up', position)
    const generation = await rollback(storage, bar.at, sealing.link).finally(bar.done)
    this.answer({ generation }, `Generation ${generation} is live again.`)
  }
}

const MINUTE_MS = 60_000
const MINUTES = '10'

export class ProjectionsVerifyCommand extends AnsweringCommand {
  static override readonly usage = usage('projections verify', {
    description: 'Replay the log beside the live read tables and compare every row; exit 1 when any differs',
    details: `
      A hub may be running meanwhile. With \`--watch\` it is done again and again until Ctrl-C, and the exit code is 1 when
      any row differed at any time, but not for an outage of the database, which is waited for; with \`--json\` each time
      is one line then. Of a hub with tenants those of each are compared too.
    `,
    examples: [
      ['Once', '$0 projections verify'],
      ['Every hour', '$0 projections verify --watch --every 60']
    ]
  })

  readonly watch = Option.Boolean('--watch', false, { description: 'Again and again, until Ctrl-C' })
  readonly every = Option.String('--every', MINUTES, {
    description: `<MINUTES> Minutes between, with --watch; ${MINUTES} by default`
  })

  protected run(): Promise<void> {
    const pause_ms = minutesValue('--every', this.every) * MINUTE_MS
    return this.watch ? this.#watched(pause_ms) : this.#once()
  }

  async #once(): Promise<void> {
    const result = await this.#verified(this.config())
    const tenants = await this.eachTenant((config) => this.#verified(config))
    const { position, tables } = result
    const own = [`Replayed the log up to position ${position}.`, ...tables.flatMap(tableLines)]
    this.answer({ ...result, tenants }, ...own, ...tenants.flatMap(tenantLines))
    requireNone(faultsOf(result, tenants))
  }

  #verified(config: HubConfig): Promise<Verification> {
    return this.withLedger(async ({ storage, readEvents }) => {
      const bar = progressLine(this.context.stderr, 'Verifying', (await storage.head()).position)
      const scratch = () => openScratch(config.db, storage)
      return verify(storage, readEvents, () => createHash('sha256'), bar.at, scratch).finally(bar.done)
    }, config)
  }

  async #watched(pause_ms: number): Promise<void> {
    const faults = new Set<string>()
    await stoppable(async (signal) => {
      while (!signal.aborted) {
        await this.unlessAway(async () => {
          const result = await this.#verified(this.config())
          const tenants = await this.eachTenant((config) => this.#verified(config))
          for (const fault of faultsOf(result, tenants)) faults.add(fault)
          const at = new Date().toISOString()
          const own = [`${at} ${result.equal ? 'ok  ' : 'DIFF'} position ${result.position}`, ...differing(result)]
          if (this.json) this.printDocument({ at, ...result, tenants })
          else this.print(...own, ...tenants.flatMap(tenantLines))
        })
        await setTimeout(pause_ms, null, { signal }).catch(() => {})
      }
    }, this.context.stdout)
    requireNone([...faults])
  }
}

/** What differs, or could not be looked at, a sentence for each log. */
function faultsOf({ equal }: Verification, tenants: readonly LookedAt<Verification>[]): readonly string[] {
  const own = equal ? [] : ['The read tables differ from a replay of the log.']
  const others = tenants.flatMap((one) => {
    if ('failed' in one) return [`Tenant ${one.tenant}: ${one.failed}`]
    return one.equal ? [] : [`The read tables of ${one.tenant} differ from a replay of the log.`]
  })
  return [...own, ...others]
}

function tenantLines(one: LookedAt<Verification>): readonly string[] {
  if ('failed' in one) return []
  if (one.equal) return [`Tenant ${one.tenant}: equal up to position ${one.position}.`]
  return [`Tenant ${one.tenant}:`, ...differing(one)]
}

/** The tables that are not what they should be, in lines. */
function differing({ tables }: Verification): readonly string[] {
  return tables.filter(({ differences }) => differences.length > 0).flatMap(tableLines)
}

function tableLines({ table, rows, live, differences }: TableReport): readonly string[] {
  return [
    `${differences.length === 0 ? 'ok  ' : 'DIFF'} ${table}: ${counted(rows, 'row')}, sha256 ${live.slice(0, 16)}`,
    ...differences.map(
      ({ id, kind, columns }) => `     ${kind} ${id}${columns.length > 0 ? `: ${columns.join(', ')}` : ''}`
    )
  ]
}
