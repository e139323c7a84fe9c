import { Command, Option } from 'clipanion'
import { carryOutUndo, planUndo, type Touched } from '../src/history/undo.js'
import { momentOf } from '../src/log/moment.js'
import { AnsweringCommand } from './command.js'
import { CliError } from './errors.js'

/** `hub undo`: takes back what one token did. */
export class UndoCommand extends AnsweringCommand {
  static override readonly paths = [['undo']]
  static override readonly usage = Command.Usage({
    category: 'History',
    description: 'Take back what one token did to records; without --yes, only say what that would be',
    details: `
      What the token deleted comes back, what it changed or moved becomes what it was, what it made goes. What somebody
      else has changed since stays as it is, and is named. Accounts, tokens and run results are not taken back.
    `
  })

  readonly token = Option.String('--token', { required: true, description: 'Id of the token' })
  readonly from = Option.String('--from', { description: 'First position or time; the beginning by default' })
  readonly to = Option.String('--to', { description: 'Last position or time; now by default' })
  readonly yes = Option.Boolean('--yes', false, { description: 'Do it' })

  protected run(): Promise<void> {
    const moment = (text: string | undefined, what: string) => (text === undefined ? undefined : momentOf(text, what))
    const [from, to] = [moment(this.from, '--from'), moment(this.to, '--to')]
    return this.withLedger(async (ledger) => {
      const [first] = await ledger.storage.searchLog(
        { tokenId: this.token },
        { after: 0, through: ledger.view.head.position },
        1,
        false
      )
      if (!first) throw new CliError(`Token ${this.token} has done nothing.`)
      const plan = await planUndo(ledger, { token: this.token, from, to })
      const failed = this.yes ? await carryOutUndo(ledger, plan, first.position) : []
      const kept = [...plan.kept, ...failed]
      const isDone = (one: Touched) => !failed.some(({ kind, id }) => kind === one.kind && id === one.id)
      const [returned, reverted, removed] = [plan.returning, plan.reverting, plan.removing].map((list) =>
        list.filter(isDone).map(({ kind, id, name }) => ({ kind, id, name }))
      )
      if (this.json) return this.printJson({ done: this.yes, returned, reverted, removed, kept })
      const line = (what: string) => (one: Touched) => `${what}  ${one.kind} ${one.id} "${one.name}"`
      this.print(...(returned ?? []).map(line('back    ')))
      this.print(...(reverted ?? []).map(line('reverted')))
      this.print(...(removed ?? []).map(line('removed ')))
      this.print(...kept.map((one) => `${line('kept    ')(one)}: ${one.reason}`))
      const count = (returned ?? []).length + (reverted ?? []).length + (removed ?? []).length
      this.print(
        this.yes
          ? `Took back ${count} records; ${kept.length} stay as they are.`
          : `Would take back ${count} records; ${kept.length} would stay as they are. Add --yes to do it.`
      )
    })
  }
}
