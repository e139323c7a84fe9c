import { createHash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { Command, Option } from 'clipanion'
import { type TableReport, type Verification, verify } from '../projections/verify.js'
import type { HubConfig } from '../src/config/types.js'
import { openScratch } from '../src/hub.js'
import { AnsweringCommand, type LookedAt } from './command.js'
import { requireNone } from './errors.js'
import { minutesValue } from './option-values.js'
import { progressLine } from './progress.js'
import { stoppable } from './signals.js'

const MINUTE_MS = 60_000
const MINUTES = '10'

export class ProjectionsVerifyCommand extends AnsweringCommand {
  static override readonly paths = [['projections', 'verify']]
  static override readonly usage = Command.Usage({
    description: 'Replay the log beside the live read tables and compare every row; exit 1 when any differs',
    details: `
      A hub may be running meanwhile. With \`--watch\` it is done again and again until Ctrl-C, and the exit code is 1 when
      any row differed at any time; with \`--json\` each time is one line then. Of a hub with tenants those of each are
      compared too.
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
        const result = await this.#verified(this.config())
        const tenants = await this.eachTenant((config) => this.#verified(config))
        for (const fault of faultsOf(result, tenants)) faults.add(fault)
        const at = new Date().toISOString()
        const own = [`${at} ${result.equal ? 'ok  ' : 'DIFF'} position ${result.position}`, ...differing(result)]
        if (this.json) this.printDocument({ at, ...result, tenants })
        else this.print(...own, ...tenants.flatMap(tenantLines))
        await setTimeout(pause_ms, null, { signal }).catch(() => {})
      }
    })
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
    `${differences.length === 0 ? 'ok  ' : 'DIFF'} ${table}: ${rows} rows, sha256 ${live.slice(0, 16)}`,
    ...differences.map(
      ({ id, kind, columns }) => `     ${kind} ${id}${columns.length > 0 ? `: ${columns.join(', ')}` : ''}`
    )
  ]
}
