import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { setTimeout } from 'node:timers/promises'
import { Option } from 'clipanion'
import { type Ledger, systemOrigin } from '../../src/ledger/ledger.js'
import { writeOut } from '../../src/lib/files.js'
import { type LogQuery, pagesOf, search, stretchOf } from '../../src/log/logQuery.js'
import { entriesOf, fullManner, listManner } from '../../src/trust/audit/entries.js'
import { byFrequency, countsOf } from '../../src/trust/audit/facets.js'
import { masked, short } from '../../src/trust/audit/mask.js'
import { AnsweringCommand, counted, REVEAL, usage } from '../lib/command.js'
import { CliError } from '../lib/errors.js'
import { userNames } from '../lib/names.js'
import { countValue } from '../lib/option-values.js'
import { stoppable } from '../lib/signals.js'
import { AuditQueryCommand, ENTRY_HEAD, entryBlock, entryCells, entryLine } from './audit-query.js'

export class AuditListCommand extends AuditQueryCommand {
  static override readonly usage = usage('audit list', {
    description: 'List what happened, the newest first: who, from where, what',
    examples: [
      ['What one account did since yesterday', '$0 audit list --actor Ada --from yesterday'],
      ['What happened to a collection', '$0 audit list --kind collection --id Payments --oldest'],
      ['On a day in Berlin', '$0 audit list --from 2026-01-30 --to 2026-01-30 --zone Europe/Berlin']
    ]
  })

  readonly limit = Option.String('--limit', '50', { description: '<COUNT> How many at most; 50 by default' })
  readonly oldest = Option.Boolean('--oldest', false, { description: 'From the oldest on' })

  protected override run(): Promise<void> {
    countValue('--limit', this.limit)
    return super.run()
  }

  protected async over(ledger: Ledger, query: LogQuery): Promise<void> {
    const limit = countValue('--limit', this.limit)
    let cursor: number | undefined
    let left = limit
    const all: unknown[] = []
    const rows: (readonly string[])[] = []
    while (left > 0) {
      const page = { limit: Math.min(left, 500), newestFirst: !this.oldest, cursor }
      const { events, next } = await search(ledger, query, page)
      for await (const { entry } of entriesOf(ledger, events, { ...listManner, how: [...this.how, short] })) {
        if (this.json) all.push(entry)
        else if (this.isTerminal) rows.push(entryCells(entry))
        else this.print(entryLine(entry))
      }
      left -= events.length
      if (next === null) break
      cursor = next
    }
    if (this.json) this.printJson({ entries: all })
    else if (left === limit) await this.printNothing(ledger, query)
    else if (rows.length > 0) this.printList(ENTRY_HEAD, rows, [])
  }
}

export class AuditShowCommand extends AnsweringCommand {
  static override readonly usage = usage('audit show', {
    description: 'Print one event: who, from where, and what it changed, field by field',
    examples: [['By its position', '$0 audit show 17']]
  })

  readonly position = Option.String({ name: 'position' })
  readonly reveal = Option.Boolean('--reveal', false, { description: REVEAL })

  protected run(): Promise<void> {
    const position = countValue('The position', this.position)
    return this.withLedger(async (ledger) => {
      const events = await ledger.storage.readHeaders(position - 1, 1)
      const how = this.reveal ? [] : [masked]
      const { value: found } = await entriesOf(ledger, events, { ...fullManner, how }).next()
      if (!found) throw new CliError(`There is no event at position ${position}.`)
      this.answer(found.entry, ...entryBlock(found.entry))
    })
  }
}

const PAUSE_MS = 300
const PAGE = 500

export class AuditFollowCommand extends AuditQueryCommand {
  static override readonly usage = usage('audit follow', {
    description: 'Print what happens as it happens, until Ctrl-C; with --json one JSON document a line',
    examples: [['What happens to collections', '$0 audit follow --kind collection']]
  })

  protected over(ledger: Ledger, query: LogQuery): Promise<void> {
    return stoppable(async (signal) => {
      let cursor = query.from === undefined ? (await ledger.storage.head()).position : undefined
      const { to } = query
      while (!signal.aborted) {
        const state = await this.unlessAway(async () => {
          await ledger.readModel.current()
          const head = ledger.readModel.head.position
          const isLast = to && ('position' in to ? to.position <= head : Date.parse(to.time) < ledger.now())
          const { events, next } = await search(ledger, query, { limit: PAGE, newestFirst: false, cursor })
          for await (const { entry } of entriesOf(ledger, events, { ...listManner, how: [...this.how, short] })) {
            this.json ? this.printDocument(entry) : this.print(entryLine(entry))
            cursor = entry.position
          }
          // What the search has seen is done with, also where nothing in it was wanted.
          cursor = next ?? Math.max(head, events.at(-1)?.position ?? 0)
          if (next !== null) return 'more'
          return isLast ? 'over' : null
        })
        if (state === 'more') continue
        if (state === 'over') return
        await setTimeout(PAUSE_MS, null, { signal }).catch(() => {})
      }
    }, this.context.stdout)
  }
}

export class AuditStatsCommand extends AuditQueryCommand {
  static override readonly usage = usage('audit stats', {
    description: 'Count what happened by type, by account and by day',
    examples: [['In the last week', '$0 audit stats --from 7d']]
  })

  protected async over(ledger: Ledger, query: LogQuery): Promise<void> {
    const counts = await countsOf(pagesOf(ledger, query))
    const sorted = (some: ReadonlyMap<string, number>) => Object.fromEntries(byFrequency(some))
    const days = Object.fromEntries(counts.days)
    const stats = { events: counts.events, types: sorted(counts.types), actors: sorted(counts.actors), days }
    if (this.json) return this.printJson(stats)
    if (stats.events === 0) return this.printNothing(ledger, query)
    const names = await userNames(ledger.readModel, Object.keys(stats.actors), String)
    const table = (counts: Readonly<Record<string, number>>) =>
      Object.entries(counts).map(([key, count]) => `  ${String(count).padStart(8)}  ${names.get(key) ?? key}`)
    this.print(counted(stats.events, 'event'))
    this.print('By type', ...table(stats.types), 'By account', ...table(stats.actors), 'By day', ...table(stats.days))
  }
}

export class AuditExportCommand extends AuditQueryCommand {
  static override readonly usage = usage('audit export', {
    description: 'Write what happened to a file, one JSON entry a line, the oldest first',
    examples: [['A month', '$0 audit export --from 2026-10-01 --to 2026-10-31 --out october.ndjson']]
  })

  readonly out = Option.String('--out', { required: true, description: '<FILE> Where the entries go' })

  protected override run(): Promise<void> {
    this.requireFile(this.out)
    return super.run()
  }

  protected over(ledger: Ledger, query: LogQuery): Promise<void> {
    return stoppable((signal) => this.#export(ledger, query, signal))
  }

  async #export(ledger: Ledger, query: LogQuery, signal: AbortSignal): Promise<void> {
    const { after, through } = await stretchOf(ledger.storage, query)
    const data = { what: 'audit' as const, from: after + 1, to: through }
    // Before the first line: what was taken away is known also where the rest goes wrong.
    await ledger.run({ type: 'RecordLogExported', id: randomUUID(), data }, systemOrigin)
    let count = 0
    const { how } = this
    async function* lines(source: Ledger) {
      for await (const events of pagesOf(source, { ...query, to: { position: through } })) {
        count += events.length
        for await (const { entry } of entriesOf(source, events, { ...fullManner, how }))
          yield `${JSON.stringify(entry)}\n`
      }
    }
    const write = (file: string) => pipeline(lines(ledger), createWriteStream(file), { signal })
    await writeOut(this.out, write).catch((error: unknown) => {
      throw signal.aborted ? new CliError('The export was stopped; nothing is left of it.') : error
    })
    this.answer(
      { file: this.out, entries: count, from: after + 1, to: through },
      `Exported ${counted(count, 'entry', 'entries')} to ${this.out}.`
    )
  }
}
