import { Command, Option } from 'clipanion'
import { eraseExpired } from '../src/erasure/retention.js'
import { AnsweringCommand } from './command.js'
import { CliError } from './errors.js'
import { countValue } from './option-values.js'

/** `hub erase expired`: what a running hub does once a day where `audit.retentionDays` is set, now. */
export class EraseExpiredCommand extends AnsweringCommand {
  static override readonly paths = [['erase', 'expired']]
  static override readonly usage = Command.Usage({
    category: 'Erasure',
    description: 'Erase names, addresses and deleted records that are older than audit.retentionDays',
    details: 'A running hub does it once a day.'
  })

  readonly days = Option.String('--days', { description: 'Instead of audit.retentionDays' })

  protected run(): Promise<void> {
    const days = this.days === undefined ? this.config().audit.retentionDays : countValue('--days', this.days)
    if (days === undefined) throw new CliError('Nothing expires: set audit.retentionDays, or give --days.')
    return this.withLedger(async (ledger) => {
      const expired = await eraseExpired(ledger, days)
      if (this.json) return this.printJson(expired)
      this.print(
        `Erased ${expired.names} names and addresses and ${expired.payloads} payloads older than ${days} days.`
      )
    })
  }
}
