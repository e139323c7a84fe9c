import { randomUUID } from 'node:crypto'
import { Option } from 'clipanion'
import { webhooksTable } from '../../commands/webhooks/table.js'
import { listWebhooks, webhookRecord } from '../../queries/webhooks.js'
import { begin } from '../../src/followers/webhooks/deliveryState.js'
import { webhookInput } from '../../src/followers/webhooks/input.js'
import type { WebhookRow } from '../../src/followers/webhooks/message.js'
import { openWebhooks, type Webhooks } from '../../src/followers/webhooks/service.js'
import { contentOf } from '../../src/followers/webhooks/wanted.js'
import { type Ledger, systemOrigin } from '../../src/ledger/ledger.js'
import { maskedTarget } from '../../src/trust/audit/mask.js'
import { AnsweringCommand, usage, YES_HELP } from '../lib/command.js'
import { CliError } from '../lib/errors.js'
import { existing, userNames } from '../lib/names.js'
import { idOrText } from '../lib/record-names.js'

const REVEAL_URLS = 'Show URLs with their paths and queries, which may be secret'

/** A command about webhooks, which the configuration must have. */
export abstract class WebhookCommand extends AnsweringCommand {
  /** Works with the log, and with what webhooks are sent with. */
  protected abstract on(ledger: Ledger, webhooks: Webhooks): Promise<void>

  protected async run(): Promise<void> {
    const webhooks = openWebhooks(this.config())
    if (!webhooks) throw new CliError('The configuration has no webhooks section. See: server.yaml.example')
    return this.withLedger((ledger) => this.on(ledger, webhooks))
  }

  /** Answers with a webhook and its secret, which is told here and never again. */
  protected answerSecret(said: string, row: WebhookRow, secret: string): void {
    const hint = 'Store this signing secret now; it will not be shown again:'
    this.answer({ webhook: JSON.parse(webhookRecord(row)), secret }, said, '', hint, secret)
  }
}

/** One about a single webhook. */
export abstract class OneWebhookCommand extends WebhookCommand {
  readonly webhook = Option.String({ name: 'webhook' })

  /** The webhook with the id, or with an id that begins so. Throws a `CliError` where there is none, or several. */
  protected async found({ readModel }: Ledger): Promise<WebhookRow> {
    const row = await readModel.get(webhooksTable, this.webhook)
    if (row) return row
    // Every id begins with nothing.
    const all = this.webhook === '' ? [] : await readModel.list(webhooksTable, 'byAge', [])
    const [found, ...others] = all.filter(({ id }) => id.startsWith(this.webhook))
    if (!found) throw new CliError(`Webhook not found: ${this.webhook}. See: hub webhook list`)
    if (others.length > 0) throw new CliError(`Several webhooks have an id that begins with ${this.webhook}.`)
    return found
  }

  /** The webhook as it is now. */
  protected current({ readModel }: Ledger, id: string): Promise<WebhookRow> {
    return existing(readModel, webhooksTable, id, 'The webhook is gone.')
  }
}

export class WebhookListCommand extends WebhookCommand {
  static override readonly usage = usage('webhook list', {
    description: 'List the webhooks, the oldest first; never their secrets',
    examples: [['All of them', '$0 webhook list']]
  })

  readonly reveal = Option.Boolean('--reveal', false, { description: REVEAL_URLS })

  protected async on({ readModel }: Ledger): Promise<void> {
    const { table, index, under } = listWebhooks()
    const rows = await readModel.list(table, index, under)
    const target = (row: WebhookRow) => (this.reveal ? contentOf(row).url : maskedTarget(contentOf(row).url))
    if (this.json) {
      const webhooks = rows.map((row) => ({ ...JSON.parse(webhookRecord(row)), url: target(row) }))
      return this.printJson({ webhooks })
    }
    if (rows.length === 0) return this.print('No webhooks found.')
    const names = await userNames(readModel, rows, ({ ownerId }) => ownerId)
    const cells = rows.map((row) => [row.id, stateOf(row), names.get(row.ownerId) ?? row.ownerId, target(row)])
    this.printList(['id', 'state', 'owner', 'url'], cells)
  }
}

export class WebhookCreateCommand extends WebhookCommand {
  static override readonly usage = usage('webhook create', {
    description: 'Subscribe a URL to changes; its signing secret is shown once',
    examples: [
      ['Every change', '$0 webhook create https://example.com/hook'],
      ['Requests of one collection', '$0 webhook create https://example.com/hook --collection Payments --kind request']
    ]
  })

  readonly url = Option.String({ name: 'url' })
  readonly collection = Option.String('--collection', {
    description: '<COLLECTION> Only changes in this collection, by its id or name'
  })
  readonly kinds = Option.Array('--kind', { description: '<KIND> Only changes of this kind of thing; repeatable' })
  readonly types = Option.Array('--type', { description: '<TYPE> Only this type of change; repeatable' })
  readonly description = Option.String('--description', { description: '<TEXT> What it is for' })

  protected async on(ledger: Ledger, { key }: Webhooks): Promise<void> {
    const { collection } = this
    const collectionId = collection === undefined ? null : await idOrText(ledger.readModel, 'collection', collection)
    const { url, kinds, types, description } = this
    const read = webhookInput.safeParse({ url, kinds, types, description, collectionId })
    if (!read.success) throw new CliError(read.error.issues.map(({ message }) => message).join(' '))
    const id = randomUUID()
    await ledger.run({ type: 'CreateWebhook', id, content: read.data }, systemOrigin)
    const row = await existing(ledger.readModel, webhooksTable, id, 'The webhook is gone again.')
    await begin(ledger.storage.state, row)
    this.answerSecret(`Created webhook ${id}.`, row, key.secretOf(id, row.secretVersion))
  }
}

export class WebhookDeleteCommand extends OneWebhookCommand {
  static override readonly usage = usage('webhook delete', {
    description: 'Delete a webhook',
    examples: [['In a script', '$0 webhook delete 3f0c --yes']]
  })

  readonly yes = Option.Boolean('--yes', false, { description: YES_HELP })

  protected async on(ledger: Ledger): Promise<void> {
    const row = await this.found(ledger)
    await this.confirm(`Delete webhook ${row.id} (${maskedTarget(contentOf(row).url)})?`, this.yes)
    await ledger.run({ type: 'DeleteWebhook', id: row.id }, systemOrigin)
    this.answer({ id: row.id, deleted: true }, `Deleted webhook ${row.id}.`)
  }
}

function stateOf({ isEnabled, disabledReason }: WebhookRow): string {
  return isEnabled ? 'active' : `disabled (${disabledReason})`
}
