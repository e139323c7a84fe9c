import { Option } from 'clipanion'
import { webhookRecord } from '../../queries/webhooks.js'
import { deliverTest, deliveryReport } from '../../src/followers/webhooks/report.js'
import type { Webhooks } from '../../src/followers/webhooks/service.js'
import { type Ledger, systemOrigin } from '../../src/ledger/ledger.js'
import { counted, usage } from '../lib/command.js'
import { CliError } from '../lib/errors.js'
import { OneWebhookCommand } from './webhook.js'

export class WebhookDeliveriesCommand extends OneWebhookCommand {
  static override readonly usage = usage('webhook deliveries', {
    description: 'Show where a webhook stands, and its last deliveries, the newest first',
    examples: [['One of them', '$0 webhook deliveries 3f0c']]
  })

  protected async on(ledger: Ledger): Promise<void> {
    const report = await deliveryReport(ledger, await this.found(ledger))
    if (this.json) return this.printJson(report)
    const { position, end, failing, deliveries } = report
    this.print(`Delivered up to position ${position} of ${end}.`)
    if (failing)
      this.print(
        `Position ${failing.position} has failed ${counted(failing.attempts, 'time')} since ${failing.since}; the next attempt is at ${failing.nextAttemptAt}.`
      )
    if (deliveries.length === 0) return
    const cells = deliveries.map(({ at, position, type, attempt, status, error }) => [
      ...[at, String(position), type, String(attempt)],
      ...[status === null ? '-' : String(status), error ?? '']
    ])
    this.printList(['at', 'position', 'type', 'attempt', 'status', 'error'], cells)
  }
}

export class WebhookReplayCommand extends OneWebhookCommand {
  static override readonly usage = usage('webhook replay', {
    description: 'Deliver again what is behind a position of the log, by the hub that runs',
    examples: [['From the beginning', '$0 webhook replay 3f0c --after 0']]
  })

  readonly after = Option.String('--after', {
    required: true,
    description: '<POSITION> The position behind which deliveries begin'
  })

  protected async on(ledger: Ledger): Promise<void> {
    const after = /^\d{1,15}$/.test(this.after) ? Number(this.after) : Number.NaN
    const end = ledger.readModel.head.position
    if (!(after <= end)) throw new CliError(`--after must be a position of the log, 0 to ${end}.`)
    const { id } = await this.found(ledger)
    await ledger.run({ type: 'ReplayWebhook', id, after }, systemOrigin)
    this.answer(
      JSON.parse(webhookRecord(await this.current(ledger, id))),
      `Webhook ${id} begins again behind position ${after}.`
    )
  }
}

export class WebhookTestCommand extends OneWebhookCommand {
  static override readonly usage = usage('webhook test', {
    description: 'Deliver a test message at once, and tell what the receiver answers',
    examples: [['One of them', '$0 webhook test 3f0c']]
  })

  protected async on(ledger: Ledger, webhooks: Webhooks): Promise<void> {
    const sent = await deliverTest(webhooks, await this.found(ledger), Date.now())
    if (this.json) this.printJson(sent)
    if (sent.error !== null) throw new CliError(sent.error)
    if (!this.json) this.print(`Delivered ${sent.messageId} in ${sent.durationMs} ms: status ${sent.status}.`)
  }
}

export class WebhookEnableCommand extends OneWebhookCommand {
  static override readonly usage = usage('webhook enable', {
    description: 'Switch a webhook on again; deliveries go on where they were left',
    examples: [['One of them', '$0 webhook enable 3f0c']]
  })

  protected async on(ledger: Ledger): Promise<void> {
    const { id } = await this.found(ledger)
    await ledger.run({ type: 'EnableWebhook', id }, systemOrigin)
    this.answer(JSON.parse(webhookRecord(await this.current(ledger, id))), `Webhook ${id} is active.`)
  }
}

export class WebhookRotateCommand extends OneWebhookCommand {
  static override readonly usage = usage('webhook rotate', {
    description: 'Make a new signing secret; for 24 hours deliveries are signed with the one before too',
    examples: [['One of them', '$0 webhook rotate 3f0c']]
  })

  protected async on(ledger: Ledger, { key }: Webhooks): Promise<void> {
    const { id } = await this.found(ledger)
    await ledger.run({ type: 'RotateWebhookSecret', id }, systemOrigin)
    const row = await this.current(ledger, id)
    this.answerSecret(`Webhook ${id} has a new secret.`, row, key.secretOf(id, row.secretVersion))
  }
}
