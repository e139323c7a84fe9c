import { Option } from 'clipanion'
import { kinds } from '../../commands/records/kinds.js'
import { type DeletedRecord, deletedRecords } from '../../queries/deleted.js'
import { listDeleted } from '../../queries/tombstones.js'
import { editorOrigin, type Ledger, systemOrigin } from '../../src/ledger/ledger.js'
import type { LogQuery } from '../../src/log/logQuery.js'
import { restore } from '../../src/records/history/restore.js'
import { type FoundDeed, findDeed, takeBack } from '../../src/records/history/takeBack.js'
import { undelete } from '../../src/records/history/undelete.js'
import type { UndoneRecord } from '../../src/records/history/undo.js'
import { AnsweringCommand, counted, LedgerCommand, usage } from '../lib/command.js'
import { CliError, UsageError } from '../lib/errors.js'
import { findToken } from '../lib/names.js'
import { countValue, versionValue } from '../lib/option-values.js'
import { ContentCommand, RecordCommand } from '../lib/record-names.js'
import { calendarOf, rangeValue, TIME_HELP, ZONE_HELP } from '../lib/times.js'

export class DeletedCommand extends LedgerCommand {
  static override readonly usage = usage('deleted', {
    description: 'List what is deleted and can be brought back, the newest first',
    examples: [['All of it', '$0 deleted']]
  })

  protected async on({ readModel }: Ledger): Promise<void> {
    const deleted: DeletedRecord[] = []
    for await (const one of deletedRecords(readModel, await listDeleted(readModel))) deleted.push(one)
    if (this.json) return this.printJson({ deleted })
    if (deleted.length === 0) return this.print('Nothing is deleted.')
    const inside = ({ held }: DeletedRecord) => held.folders + held.requests + held.documents
    this.printList(
      ['deleted', 'kind', 'id', 'things in it', 'name'],
      deleted.map((one) => [one.deletedAt, one.kind, one.id, String(inside(one)), one.name]),
      deleted.map((one) => {
        const { deletedAt, kind, id, name } = one
        return `${deletedAt}  ${kind} ${id}  ${name}${inside(one) > 0 ? `  with ${counted(inside(one), 'thing')} in it` : ''}`
      })
    )
  }
}

export class UndeleteCommand extends RecordCommand {
  static override readonly usage = usage('undelete', {
    description: 'Bring a deleted record back, under its old id and with everything that went with it',
    examples: [['A collection with all of its requests', '$0 undelete collection Payments']]
  })

  protected run(): Promise<void> {
    return this.withRecord(async (ledger, id, kind) => {
      const restored = await undelete(ledger, systemOrigin, kind, id)
      const counts = Object.entries(restored).map(([one, count]) => counted(count, one))
      this.answer({ kind, id, restored }, `Brought back ${counts.join(', ')}.`)
    }, 'deleted, then live')
  }
}

export class RestoreCommand extends ContentCommand {
  static override readonly usage = usage('restore', {
    description: 'Give a record the content of one of its versions, as one more version',
    examples: [['As it was first', '$0 restore collection Payments --version 1']]
  })

  readonly version = Option.String('--version', {
    required: true,
    description: '<VERSION> A version that hub history lists'
  })

  protected run(): Promise<void> {
    const { kind } = this
    const version = versionValue('--version', this.version)
    return this.withRecord(async (ledger, id) => {
      const { row, place } = await restore(ledger, editorOrigin, kind, id, version)
      this.answer(
        this.shown(JSON.parse(kinds[kind].record(row, place))),
        `Restored ${kind} ${id} to version ${version}.`
      )
    })
  }
}

/** What is said of a record before an undo, and after it. */
const PLANNED = {
  back: 'would come back  ',
  undone: 'would be reverted',
  gone: 'would be removed ',
  stays: 'would stay       '
}
const EVENT = 'a position that hub audit list shows'
const DONE = { back: 'back    ', undone: 'reverted', gone: 'removed ', stays: 'kept    ' }

export class UndoCommand extends AnsweringCommand {
  static override readonly usage = usage('undo', {
    description:
      'Take back what one token, one command or one request did to records; without --yes, only say what that would be',
    details: `
      What was deleted comes back, what was changed or moved becomes what it was, what was made goes. What somebody
      else has changed since stays as it is, and is named. Accounts, tokens and run results are not taken back. One event
      stands for all that its command did, as an import. A run is taken back itself by the request id that it prints.
    `,
    examples: [
      ['What a token did since yesterday: only say it', '$0 undo --token laptop --from yesterday'],
      ['The same, done', '$0 undo --token laptop --from yesterday --yes'],
      ['One import, by the event that it has told', '$0 undo --event 4711 --yes'],
      ['A run of this command, by the request id that it has printed', '$0 undo --request undo-1f0c --yes']
    ]
  })

  readonly token = Option.String('--token', {
    description: '<TOKEN> The token, by its id, its name or the beginning that lists show'
  })
  readonly event = Option.String('--event', { description: '<POSITION> An event of the command' })
  readonly request = Option.String('--request', { description: '<ID> A request, by the id that the log has of it' })
  readonly from = Option.String('--from', { description: `<TIME> The first moment: ${TIME_HELP}` })
  readonly to = Option.String('--to', { description: '<TIME> The last moment; of a day its end; now by default' })
  readonly zone = Option.String('--zone', { description: ZONE_HELP })
  readonly yes = Option.Boolean('--yes', false, { description: 'Do it' })

  protected run(): Promise<void> {
    const { token, event, request } = this
    if ([token, event, request].filter((one) => one !== undefined).length !== 1)
      throw new UsageError('Give one of --token, --event and --request.')
    if (event !== undefined) countValue('--event', event, EVENT)
    if (token === undefined && (this.from ?? this.to) !== undefined)
      throw new UsageError('--from and --to are for --token: an event or a request is at one time.')
    const { from, to, understood } = rangeValue(this, calendarOf(this.zone))
    return this.withLedger(async (ledger) => {
      if (understood !== null) this.warn(`Looking ${understood}.`)
      const deed = await this.deed(ledger, { from, to })
      const tenant = this.subject === null ? '' : ` --tenant ${this.subject}`
      const wayBack = (id: string) => `hub undo --request ${id}${tenant} --yes`
      let begun: string | null = null
      const begins = (id: string) => {
        begun = id
        // Before its first change: what a run that is killed has done can be taken back too.
        if (!this.json) this.print(`To take it back: ${wayBack(id)}`)
      }
      const taken = await takeBack(ledger, deed, { isPreview: !this.yes, begins }).catch((error: unknown) => {
        if (begun !== null)
          this.warn(`It broke off: run it again to go on. To take back what was done: ${wayBack(begun)}`)
        throw error
      })
      const { requestId: run, returned, reverted, removed, kept } = taken
      const count = returned.length + reverted.length + removed.length
      if (this.json) return this.printJson({ done: this.yes, requestId: run, returned, reverted, removed, kept })
      const { back, undone, gone, stays } = this.yes ? DONE : PLANNED
      const line = (what: string) => (one: UndoneRecord) => `${what}  ${one.kind} ${one.id} "${one.name}"`
      this.print(...returned.map(line(back)), ...reverted.map(line(undone)), ...removed.map(line(gone)))
      this.print(...kept.map((one) => `${line(stays)(one)}: ${one.reason}`))
      this.print(
        this.yes
          ? `Took back ${counted(count, 'record')}, and left ${kept.length} as is.`
          : `Would take back ${counted(count, 'record')}, and leave ${kept.length} as is. Add --yes to do it.`
      )
    })
  }

  /** What is to be taken back, as the log has it. */
  private async deed(ledger: Ledger, range: Pick<LogQuery, 'from' | 'to'>): Promise<FoundDeed> {
    const { token, request } = this
    if (token !== undefined) {
      const id = (await findToken(ledger.readModel, token))?.id ?? token
      return required(await findDeed(ledger, { token: id, ...range }), `Token ${token} has done nothing.`)
    }
    if (request !== undefined)
      return required(await findDeed(ledger, { request }), `No event of the log has the request id ${request}.`)
    const event = countValue('--event', this.event ?? '', EVENT)
    return required(await findDeed(ledger, { event }), `The log has no event at position ${event}.`)
  }
}

function required(deed: FoundDeed | null, whenNone: string): FoundDeed {
  if (!deed) throw new CliError(whenNone)
  return deed
}
