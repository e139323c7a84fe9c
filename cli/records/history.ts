import { Option } from 'clipanion'
import { KINDS, kinds, type Member } from '../../commands/records/kinds.js'
import { errors } from '../../src/errors.js'
import type { FieldChange } from '../../src/records/history/fieldChanges.js'
import { diffOf, historyOf, type Version } from '../../src/records/history/history.js'
import { positionIn } from '../../src/records/history/past.js'
import { placedAt, treeAt } from '../../src/records/history/tree.js'
import { masked, shown } from '../../src/trust/audit/mask.js'
import { counted, usage } from '../lib/command.js'
import { CliError } from '../lib/errors.js'
import { versionValue } from '../lib/option-values.js'
import { ContentCommand, RecordCommand } from '../lib/record-names.js'
import { calendarOf, TIME_HELP, timeValue, ZONE_HELP } from '../lib/times.js'

const PAGE = 50

export class HistoryCommand extends RecordCommand {
  static override readonly usage = usage('history', {
    description: 'List the versions of a record: when, who, which fields',
    details: `Kinds are ${KINDS.slice(0, -1).join(', ')} and ${KINDS.at(-1)}. Deleted records are found too.`,
    examples: [['Of a collection, by its name', '$0 history collection Payments']]
  })

  protected run(): Promise<void> {
    return this.withRecord(async (ledger, id, kind) => {
      const versions: Version[] = []
      for (let before: number | undefined; before !== 1; before = versions.at(-1)?.version ?? 1)
        versions.push(...(await historyOf(ledger, kind, id, { limit: PAGE, before })).versions)
      versions.reverse()
      this.answer({ kind, id, versions }, ...versions.map(line))
    })
  }
}

function line({ version, position, at, type, by, changed, deleted, erased, causation }: Version): string {
  const what = erased ? 'erased' : deleted ? 'deleted' : changed.join(', ')
  const cause = causation === undefined ? '' : ` (of position ${causation})`
  return `${version}  ${at}  position ${position}  ${by.name ?? by.id}  ${type}${cause}: ${what}`
}

export class DiffCommand extends ContentCommand {
  static override readonly usage = usage(['diff', 'audit diff'], {
    description: 'Print what differs between two versions of a record, field by field; by default its last two',
    examples: [
      ['What the last change did', '$0 diff environment Staging'],
      ['Between two versions', '$0 diff collection Payments --from 1 --to 4']
    ]
  })

  readonly from = Option.String('--from', {
    description: '<VERSION> The older version; by default the one before --to'
  })
  readonly to = Option.String('--to', { description: '<VERSION> The newer version; by default the last' })

  protected run(): Promise<void> {
    return this.withRecord(async (ledger, id, kind) => {
      const from = this.from === undefined ? undefined : versionValue('--from', this.from)
      const to = this.to === undefined ? undefined : versionValue('--to', this.to)
      const difference = await diffOf(ledger, kind, id, { from, to })
      const how = this.reveal ? [] : [masked]
      const changes = difference.changes.map((change) => shown(change, how, kind))
      const more = difference.more ? [`… and ${counted(difference.more, 'field')} more.`] : []
      this.answer({ kind, id, ...difference, changes }, ...lines(changes), ...more)
    })
  }
}

/** A changed field in two lines: what it was and what it is. */
export function lines(changes: readonly FieldChange[]): readonly string[] {
  return changes.flatMap((change) => [
    ...('from' in change ? [`- ${change.path}: ${JSON.stringify(change.from)}`] : []),
    ...('to' in change ? [`+ ${change.path}: ${JSON.stringify(change.to)}`] : [])
  ])
}

export class AtCommand extends ContentCommand {
  static override readonly usage = usage('at', {
    description: 'Print a record as it was at a position of the log or at a time, as JSON',
    details: `The position or time is ${TIME_HELP}. A day is its first moment.`,
    examples: [
      ['A week ago', '$0 at collection Payments 7d'],
      ['With everything in it, this morning in Berlin', '$0 at collection Payments today --tree --zone Europe/Berlin']
    ]
  })

  readonly moment = Option.String({ name: 'position-or-time' })
  readonly zone = Option.String('--zone', { description: ZONE_HELP })
  readonly tree = Option.Boolean('--tree', false, { description: 'Of a collection: with everything in it' })

  protected run(): Promise<void> {
    const { kind } = this
    if (this.tree && kind !== 'collection') throw new CliError('Option --tree is for a collection.')
    const { moment, isInterpreted } = timeValue('The moment', this.moment, 'first', calendarOf(this.zone))
    return this.withRecord(async (ledger, id) => {
      const position = await positionIn(ledger, moment, 'The moment')
      if (isInterpreted && 'time' in moment) this.warn(`At ${moment.time}, position ${position}.`)
      if (this.tree) {
        const tree = await treeAt(ledger, id, position)
        if (!tree) throw errors.notThere(kinds[kind].title)
        const parsed = async (kind: Member) => {
          const found: unknown[] = []
          for await (const records of tree.records(kind)) for (const record of records) found.push(JSON.parse(record))
          return found
        }
        const [folders, requests] = [await parsed('folder'), await parsed('request')]
        const lists = { folders, requests, documents: await parsed('document') }
        return this.printJson(this.shown({ position, collection: JSON.parse(tree.collection), ...lists }))
      }
      const past = await placedAt(ledger, kind, id, position)
      if (!past) throw errors.notThere(kinds[kind].title)
      this.printJson(this.shown(JSON.parse(kinds[kind].record(past.row, past.place))))
    })
  }
}
