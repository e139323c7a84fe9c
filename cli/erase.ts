import { Command, Option } from 'clipanion'
import { carryOut, type Plan, payloadsOf, planDeleted } from '../src/erasure/erase.js'
import { eraseExpired } from '../src/erasure/retention.js'
import { eraseValue } from '../src/erasure/value.js'
import { AnsweringCommand, YES_HELP } from './command.js'
import { CliError } from './errors.js'
import { countValue, kindValue, versionValue } from './option-values.js'
import { RecordCommand, recordId } from './record-names.js'

/** A command that erases for ever: it says what that would be, and does it once it is confirmed. */
export abstract class EraseCommand extends AnsweringCommand {
  readonly yes = Option.Boolean('--yes', false, { description: 'Do it; without this, only say what would be erased' })

  /**
   * Says what would be erased with `preview`, and resolves to whether it is to be done: with `--yes`, or where somebody at the
   * terminal says so. Elsewhere it stays at what was said.
   */
  protected async isMeant(question: string, preview: readonly string[]): Promise<boolean> {
    if (this.yes) return true
    if (this.json || !this.context.stdin.isTTY) {
      if (!this.json) this.print(...preview.slice(0, -1), `${preview.at(-1)} Add --yes to do it.`)
      return false
    }
    this.print(...preview)
    await this.confirm(question, false)
    return true
  }
}

/** How much a plan takes away. */
export function amount(plan: Plan) {
  const { names, mentions = [] } = plan
  return { payloads: payloadsOf(plan), names: names.length + mentions.length }
}

/** The same in words. */
export function amountText(plan: Plan): string {
  const { payloads, names } = amount(plan)
  return `${payloads} payloads and ${names} names and addresses`
}

export class EraseDeletedCommand extends EraseCommand {
  static override readonly paths = [['erase', 'deleted']]
  static override readonly usage = Command.Usage({
    description: 'Erase a deleted record from the log, with all that went with it: it cannot be brought back then',
    examples: [
      ['What that would be', '$0 erase deleted collection Payments'],
      ['For ever', '$0 erase deleted collection Payments --yes']
    ]
  })

  readonly kindName = Option.String({ name: 'kind' })
  readonly named = Option.String({ name: 'id-or-name' })

  protected run(): Promise<void> {
    const kind = kindValue(this.kindName)
    return this.withLedger(async (ledger) => {
      const id = await recordId(ledger, kind, this.named, 'deleted, then live')
      const plan = await planDeleted(ledger, kind, id)
      const isMeant = await this.isMeant(`Erase the ${kind} ${id} for ever?`, [
        `Would erase ${amountText(plan)}, for ever.`
      ])
      if (isMeant) await carryOut(ledger, plan)
      if (this.json) return this.printJson({ kind, id, ...amount(plan), erased: isMeant })
      if (isMeant) this.print(`Erased ${amountText(plan)}.`)
    })
  }
}

export class EraseValueCommand extends RecordCommand {
  static override readonly paths = [['erase', 'value']]
  static override readonly usage = Command.Usage({
    description: 'Erase one value, such as a secret, from one version of a record',
    examples: [
      ['A variable of a collection', '$0 erase value collection Payments --version 3 --path /variables/0/value']
    ]
  })

  readonly version = Option.String('--version', {
    required: true,
    description: '<VERSION> A version that hub history lists'
  })
  readonly pointer = Option.String('--path', {
    required: true,
    description: '<PATH> Where it is, as hub diff prints it'
  })
  readonly yes = Option.Boolean('--yes', false, { description: YES_HELP })

  protected run(): Promise<void> {
    const { kind, pointer: path } = this
    const version = versionValue('--version', this.version)
    return this.withRecord(async (ledger, id) => {
      await this.confirm(`Erase ${path} of version ${version} of the ${kind} ${id} for ever?`, this.yes)
      const same = await eraseValue(ledger, kind, id, version, path)
      const others = `The same value is in ${same.length > 1 ? 'versions' : 'version'} ${same.join(', ')}.`
      const erased = `Erased ${path} of version ${version}.`
      this.answer({ kind, id, version, path, sameIn: same }, erased, ...(same.length > 0 ? [others] : []))
    })
  }
}

export class EraseExpiredCommand extends AnsweringCommand {
  static override readonly paths = [['erase', 'expired']]
  static override readonly usage = Command.Usage({
    description: 'Erase names, addresses and deleted records that are older than audit.retentionDays',
    details: 'A running hub does it once a day.',
    examples: [['What is older than a year', '$0 erase expired --days 365 --yes']]
  })

  readonly yes = Option.Boolean('--yes', false, { description: YES_HELP })
  readonly days = Option.String('--days', { description: '<DAYS> Instead of audit.retentionDays' })

  protected run(): Promise<void> {
    const days = this.days === undefined ? this.config().audit.retentionDays : countValue('--days', this.days)
    if (days === undefined) throw new CliError('Nothing expires: set audit.retentionDays, or give --days.')
    return this.withLedger(async (ledger) => {
      await this.confirm(`Erase names, addresses and deleted records older than ${days} days for ever?`, this.yes)
      const expired = await eraseExpired(ledger, days)
      const { names, payloads } = expired
      this.answer(expired, `Erased ${names} names and addresses and ${payloads} payloads older than ${days} days.`)
    })
  }
}
