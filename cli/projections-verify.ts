import { createHash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { Command, Option } from 'clipanion'
import { type TableReport, type Verification, verify } from '../projections/verify.js'
import type { DbConfig } from '../src/config/types.js'
import { openScratch } from '../src/hub.js'
import type { Ledger } from '../src/ledger.js'
import { AnsweringCommand } from './command.js'
import { CliError } from './errors.js'
import { minutesValue } from './option-values.js'
import { progressLine } from './progress.js'

const MINUTE_MS = 60_000
const MINUTES = '10'

/** `hub projections verify`: proves that the read tables are what the log says, or names the rows that are not. */
export class ProjectionsVerifyCommand extends AnsweringCommand {
  static override readonly paths = [['projections', 'verify']]
  static override readonly usage = Command.Usage({
    category: 'Projections',
    description: 'Replay the log beside the live read tables and compare every row; exit 1 when any differs',
    details: `
      A hub may be running meanwhile. With \`--watch\` it is done again and again until Ctrl-C, and the exit code is 1 when
      any row differed at any time; with \`--json\` each time is one line then.
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
    const { db } = this.config()
    return this.withLedger(async (ledger) => {
      const next = async () => {
        const bar = progressLine(this.context.stderr, 'Verifying', (await ledger.storage.head()).position)
        return verified(ledger, db, bar.at).finally(bar.done)
      }
      const isEqual = this.watch ? await this.#watched(next, pause_ms) : this.#tell(await next())
      if (!isEqual) throw new CliError('The read tables differ from a replay of the log.')
    })
  }

  #tell(result: Verification): boolean {
    if (this.json) this.printJson(result)
    else this.print(...report(result))
    return result.equal
  }

  /** False when any row has differed at any time. */
  async #watched(next: () => Promise<Verification>, pause_ms: number): Promise<boolean> {
    const stop = new AbortController()
    const end = () => stop.abort()
    process.once('SIGINT', end).once('SIGTERM', end)
    let isEqual = true
    try {
      while (!stop.signal.aborted) {
        const result = await next()
        isEqual &&= result.equal
        const at = new Date().toISOString()
        if (this.json) this.printDocument({ at, ...result })
        else this.print(...(result.equal ? [`${at} ok   position ${result.position}`] : differing(at, result)))
        await setTimeout(pause_ms, null, { signal: stop.signal }).catch(() => {})
      }
    } finally {
      process.off('SIGINT', end).off('SIGTERM', end)
    }
    return isEqual
  }
}

function verified(
  { storage, readEvents }: Ledger,
  db: DbConfig,
  progress: (position: number) => void
): Promise<Verification> {
  return verify(
    storage,
    readEvents,
    () => createHash('sha256'),
    progress,
    () => openScratch(db, storage)
  )
}

function report({ position, tables }: Verification): readonly string[] {
  return [`Replayed the log up to position ${position}.`, ...tables.flatMap(tableLines)]
}

function differing(at: string, { position, tables }: Verification): readonly string[] {
  return [
    `${at} DIFF position ${position}`,
    ...tables.filter((table) => table.differences.length > 0).flatMap(tableLines)
  ]
}

function tableLines({ table, rows, live, differences }: TableReport): readonly string[] {
  return [
    `${differences.length === 0 ? 'ok  ' : 'DIFF'} ${table}: ${rows} rows, sha256 ${live.slice(0, 16)}`,
    ...differences.map(
      ({ id, kind, columns }) => `     ${kind} ${id}${columns.length > 0 ? `: ${columns.join(', ')}` : ''}`
    )
  ]
}
