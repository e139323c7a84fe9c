import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { alike, id } from '../../../commands/content.js'
import { ownWebhook } from '../../../commands/webhooks/decide.js'
import { DISABLED_REASONS } from '../../../commands/webhooks/events.js'
import { webhooksTable } from '../../../commands/webhooks/table.js'
import { listWebhooks, webhookRecord } from '../../../queries/webhooks.js'
import type { Hub } from '../../app/hub.js'
import { errors } from '../../errors.js'
import { attempted, begin } from '../../followers/webhooks/deliveryState.js'
import { webhookInput, webhookKind } from '../../followers/webhooks/input.js'
import type { WebhookRow } from '../../followers/webhooks/message.js'
import { deliverTest, deliveryReport, deliveryReportShape } from '../../followers/webhooks/report.js'
import type { Webhooks } from '../../followers/webhooks/service.js'
import { LIMITS } from '../../limits.js'
import { created, listAnswer } from '../answers.js'
import { freshList } from '../lists.js'
import { named } from '../openapi/names.js'
import { paged } from '../paging.js'
import { done, json, record } from '../reply.js'
import { type RouteCall, routes } from '../route.js'

const change = webhookInput.extend({
  isEnabled: z.boolean().optional().describe('Whether it is on. Left out, it stays as it is.')
})
const replay = z.object({
  after: z.int().min(0).describe('A position of the log: what comes behind it is sent again. 0 is the beginning.')
})

const webhook = named('Webhook', 'A subscription of a URL to changes.', {
  id: id.describe('The id.'),
  ownerId: id.describe('The id of the account that it belongs to, whose access it has.'),
  url: alike(z.string(), webhookInput.shape.url),
  kinds: alike(z.array(webhookKind), webhookInput.shape.kinds),
  types: alike(z.array(z.string()), webhookInput.shape.types),
  collectionId: z
    .string()
    .nullable()
    .describe('The id of the collection whose changes are sent; null for those of the whole hub.'),
  description: alike(z.string(), webhookInput.shape.description),
  isEnabled: z.boolean().describe('Whether it is on.'),
  status: z.enum(['active', 'disabled']).describe('The same in a word.'),
  disabledReason: z.enum(DISABLED_REASONS).nullable().describe('Why it was switched off; null where it is on.'),
  disabledAt: z.string().nullable().describe('When it was switched off; null where it is on.'),
  createdAt: z.string().describe('When it was made.'),
  updatedAt: z.string().describe('When it was changed last.'),
  rotatedAt: z.string().nullable().describe('When its secret was made anew last; null where it never was.')
})
/** The fields of a webhook in the list of them. */
const webhookFields = [
  ...['url', 'kinds', 'types', 'collectionId', 'description', 'ownerId', 'isEnabled', 'status', 'disabledReason'],
  ...['disabledAt', 'createdAt', 'updatedAt', 'rotatedAt']
]
const withSecret = named('WebhookWithSecret', 'A webhook with its signing secret.', {
  webhook: webhook.describe('The webhook.'),
  secret: z.string().describe('The signing secret, which begins with `whsec_`. It is told this once.')
})

const deliveries = named(
  'WebhookDeliveries',
  'Where a webhook stands, and what its last deliveries came to.',
  deliveryReportShape
)
const tried = named('WebhookAttempt', 'What came of a test message.', attempted)

type Call = Pick<RouteCall<unknown, unknown>, 'hub' | 'caller'>

/** Subscriptions of URLs to changes: users see to their own, administrators to all. */
export function webhookRoutes(app: FastifyInstance): void {
  const route = routes(app, 'webhooks')

  route('GET', '/webhooks', 'listWebhooks', listAnswer('webhooks', webhook), {
    summary: 'List the webhooks of the caller; administrators see all',
    about: 'They come in the order in which they were made. 503 where no webhooks are configured.',
    ...paged,
    handle: async ({ hub, readModel, caller, query }) => {
      configured(hub)
      const rows = listWebhooks(caller.role === 'admin' ? undefined : caller.userId)
      const records = (some: readonly WebhookRow[]) => some.map(webhookRecord)
      return freshList(readModel, { ...rows, name: 'webhooks', fields: webhookFields, records }, query)
    }
  })

  route('POST', '/webhooks', 'createWebhook', created(withSecret), {
    summary: 'Subscribe a URL to changes; its signing secret is told once',
    about:
      'A user names a collection that they may see; administrators may leave it out, and are told of everything. Changes from then on are sent, in the order of the log, each until it is taken. Before each the access of the owner is looked up. 409 where there are as many as there may be. 503 where no webhooks are configured.',
    refuses: [403, 404, 409],
    body: webhookInput,
    handle: async ({ hub, body, change }) => {
      const { key } = configured(hub)
      const row = await change({ type: 'CreateWebhook', id: randomUUID(), content: body }, webhooksTable)
      await begin(hub.ledger.storage.state, row)
      return json(shownOnce(row, key.secretOf(row.id, row.secretVersion)), 201)
    }
  })

  route('GET', '/webhooks/:id', 'getWebhook', webhook, {
    summary: 'Show a webhook',
    about: 'A user sees their own, an administrator any; else 404. 503 where no webhooks are configured.',
    isTagged: true,
    handle: async ({ params, ...call }) => record(webhookRecord, await found(call, params.id))
  })

  route('PUT', '/webhooks/:id', 'changeWebhook', webhook, {
    summary: 'Change a webhook, or switch it on or off',
    about:
      'The body is the whole subscription. A new URL is tried at once. Left out, `isEnabled` stays as it is. 503 where no webhooks are configured.',
    takesIfMatch: true,
    body: change,
    isTagged: true,
    refuses: [403, 409],
    handle: async ({ params, body: { isEnabled, ...content }, ifRevision, hub, change }) => {
      configured(hub)
      const command = { type: 'ChangeWebhook', id: params.id, content, isEnabled, ifRevision } as const
      return record(webhookRecord, await change(command, webhooksTable))
    }
  })

  route('DELETE', '/webhooks/:id', 'deleteWebhook', null, {
    summary: 'Delete a webhook',
    about: 'Nothing is sent any more, not even what was waiting. 503 where no webhooks are configured.',
    takesIfMatch: true,
    handle: async ({ params, ifRevision, hub, run }) => {
      configured(hub)
      return done(run({ type: 'DeleteWebhook', id: params.id, ifRevision }))
    }
  })

  route('POST', '/webhooks/:id/rotate', 'rotateWebhookSecret', withSecret, {
    summary: 'Make a new signing secret',
    about: 'For 24 hours deliveries are signed with the secret before too. 503 where no webhooks are configured.',
    refuses: [409],
    handle: async ({ params, hub, change }) => {
      const { key } = configured(hub)
      const row = await change({ type: 'RotateWebhookSecret', id: params.id }, webhooksTable)
      return json(shownOnce(row, key.secretOf(row.id, row.secretVersion)))
    }
  })

  route('POST', '/webhooks/:id/enable', 'enableWebhook', webhook, {
    summary: 'Switch a webhook on again, where it was left',
    about:
      'It goes on with the change behind the last one that was taken. One that is on stays as it is. 503 where no webhooks are configured.',
    isTagged: true,
    refuses: [403],
    handle: async ({ params, hub, change }) => {
      configured(hub)
      return record(webhookRecord, await change({ type: 'EnableWebhook', id: params.id }, webhooksTable))
    }
  })

  route('POST', '/webhooks/:id/replay', 'replayWebhook', webhook, {
    summary: 'Deliver again from a position of the log',
    about:
      'Everything behind the position is sent again, with the access of now, under the same `webhook-id` and with the same bytes. 400 for a position beyond the end of the log. 503 where no webhooks are configured.',
    body: replay,
    isTagged: true,
    handle: async ({ params, body: { after }, hub, readModel, change }) => {
      configured(hub)
      const end = readModel.head.position
      if (after > end) throw errors.beyondEnd('after', end)
      return record(webhookRecord, await change({ type: 'ReplayWebhook', id: params.id, after }, webhooksTable))
    }
  })

  route('POST', '/webhooks/:id/test', 'testWebhook', tried, {
    summary: 'Deliver a test message at once',
    about:
      'It is sent once, whether the webhook is on or not, and the answer says what came of it. It tells of no change. 503 where no webhooks are configured.',
    takesKey: false,
    handle: async ({ params, ...call }) => {
      const webhooks = configured(call.hub)
      const row = await found(call, params.id)
      return json(await tests(() => deliverTest(webhooks, row, call.hub.ledger.now())))
    }
  })

  route('GET', '/webhooks/:id/deliveries', 'listDeliveries', deliveries, {
    summary: 'Show where a webhook stands, and its last deliveries',
    about: 'The last 20 attempts, with the first kilobyte of each answer. 503 where no webhooks are configured.',
    handle: async ({ params, ...call }) => json(await deliveryReport(call.hub.ledger, await found(call, params.id)))
  })

  const tests = atMost(LIMITS.webhooksAtOnce.max)
}

/** What webhooks are sent with; 503 where there is no configuration for them. */
function configured({ webhooks }: Hub): Webhooks {
  if (!webhooks) throw errors.webhooksNotConfigured()
  return webhooks
}

async function found({ hub, caller }: Call, webhookId: string): Promise<WebhookRow> {
  configured(hub)
  return ownWebhook(webhookId, caller, hub.ledger.readModel)
}

function shownOnce(row: WebhookRow, secret: string): string {
  return `{"webhook":${webhookRecord(row)},"secret":${JSON.stringify(secret)}}`
}

/** Runs work, and so much of it at once; 503 for more. */
function atMost(max: number) {
  let running = 0
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= max) throw errors.busy()
    running++
    try {
      return await work()
    } finally {
      running--
    }
  }
}
