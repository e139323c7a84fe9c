import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { id } from '../../../commands/content.js'
import { ownWebhook } from '../../../commands/webhooks/decide.js'
import { DISABLED_REASONS } from '../../../commands/webhooks/events.js'
import { webhooksTable } from '../../../projections/webhooks.js'
import { listWebhooks, webhookRecord } from '../../../queries/webhooks.js'
import type { Hub } from '../../app/hub.js'
import { errors } from '../../errors.js'
import { webhookInput } from '../../followers/webhooks/input.js'
import type { WebhookRow } from '../../followers/webhooks/message.js'
import { deliverTest, deliveryReport, deliveryReportShape } from '../../followers/webhooks/report.js'
import type { Webhooks } from '../../followers/webhooks/service.js'
import { attempted, begin } from '../../followers/webhooks/standing.js'
import { LIMITS } from '../../limits.js'
import { listAnswer } from '../answers.js'
import { freshList } from '../lists.js'
import { paged } from '../paging.js'
import { json, noContent, record } from '../reply.js'
import { forAll, type RouteCall, routes } from '../route.js'
import { byId, changedById } from './input.js'

const change = webhookInput.extend({ isEnabled: z.boolean().optional() })
const replay = z.object({ after: z.int().min(0) })

const webhook = z.object({
  id,
  ownerId: id,
  url: z.string(),
  kinds: z.array(z.string()),
  types: z.array(z.string()),
  collectionId: z.string().nullable(),
  description: z.string(),
  isEnabled: z.boolean(),
  status: z.enum(['active', 'disabled']),
  disabledReason: z.enum(DISABLED_REASONS).nullable(),
  disabledAt: z.string().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
  rotatedAt: z.string().nullable()
})
/** The fields of a webhook in the list of them. */
const webhookFields = [
  ...['url', 'kinds', 'types', 'collectionId', 'description', 'ownerId', 'isEnabled', 'status', 'disabledReason'],
  ...['disabledAt', 'createdAt', 'updatedAt', 'rotatedAt']
]
const withSecret = z.object({ webhook, secret: z.string() })

type Call = Pick<RouteCall<unknown, unknown>, 'hub' | 'caller'>

/** Subscriptions of URLs to changes: users see to their own, administrators to all. */
export function webhookRoutes(app: FastifyInstance): void {
  const route = routes(app, 'webhooks')

  const listing = forAll(
    'listWebhooks',
    'List the webhooks of the caller; administrators see all',
    listAnswer('webhooks', webhook),
    paged
  )
  route('GET', '/webhooks', listing, async ({ hub, caller, query }) => {
    configured(hub)
    const rows = listWebhooks(caller.role === 'admin' ? undefined : caller.userId)
    const records = (some: readonly WebhookRow[]) => some.map(webhookRecord)
    return freshList(hub.ledger.readModel, { ...rows, name: 'webhooks', fields: webhookFields, records }, query)
  })

  const creation = forAll(
    'createWebhook',
    'Subscribe a URL to changes; its signing secret is told once',
    { 201: withSecret },
    { refuses: [403, 404, 409], body: webhookInput }
  )
  route('POST', '/webhooks', creation, async ({ hub, body, change }) => {
    const { key } = configured(hub)
    const row = await change({ type: 'CreateWebhook', id: randomUUID(), content: body }, webhooksTable)
    await begun(hub, row)
    return json(shownOnce(row, key.secretOf(row.id, row.secretVersion)), 201)
  })

  const getting = forAll('getWebhook', 'Show a webhook', webhook, { ...byId, isTagged: true })
  route('GET', '/webhooks/:id', getting, async ({ params, ...call }) => {
    const row = await found(call, params.id)
    return record(webhookRecord(row), row)
  })

  const update = forAll('changeWebhook', 'Change a webhook, or switch it on or off', webhook, {
    ...changedById,
    body: change,
    isTagged: true,
    refuses: [403, 409]
  })
  route(
    'PUT',
    '/webhooks/:id',
    update,
    async ({ params, body: { isEnabled, ...content }, ifRevision, hub, change }) => {
      configured(hub)
      const command = { type: 'ChangeWebhook', id: params.id, content, isEnabled, ifRevision } as const
      const row = await change(command, webhooksTable)
      return record(webhookRecord(row), row)
    }
  )

  const deletion = forAll('deleteWebhook', 'Delete a webhook', null, changedById)
  route('DELETE', '/webhooks/:id', deletion, async ({ params, ifRevision, hub, run }) => {
    configured(hub)
    await run({ type: 'DeleteWebhook', id: params.id, ifRevision })
    return noContent
  })

  const rotation = forAll('rotateWebhookSecret', 'Make a new signing secret', withSecret, { ...byId, refuses: [409] })
  route('POST', '/webhooks/:id/rotate', rotation, async ({ params, hub, change }) => {
    const { key } = configured(hub)
    const row = await change({ type: 'RotateWebhookSecret', id: params.id }, webhooksTable)
    return json(shownOnce(row, key.secretOf(row.id, row.secretVersion)))
  })

  const enabling = forAll('enableWebhook', 'Switch a webhook on again, where it was left', webhook, {
    ...byId,
    isTagged: true,
    refuses: [403]
  })
  route('POST', '/webhooks/:id/enable', enabling, async ({ params, hub, change }) => {
    configured(hub)
    const row = await change({ type: 'EnableWebhook', id: params.id }, webhooksTable)
    return record(webhookRecord(row), row)
  })

  const replaying = forAll('replayWebhook', 'Deliver again from a position of the log', webhook, {
    ...byId,
    body: replay,
    isTagged: true
  })
  route('POST', '/webhooks/:id/replay', replaying, async ({ params, body: { after }, hub, change }) => {
    configured(hub)
    const end = hub.ledger.readModel.head.position
    if (after > end) throw errors.beyondEnd('after', end)
    const row = await change({ type: 'ReplayWebhook', id: params.id, after }, webhooksTable)
    return record(webhookRecord(row), row)
  })

  const testing = forAll('testWebhook', 'Deliver a test message at once', attempted, { ...byId, takesKey: false })
  route('POST', '/webhooks/:id/test', testing, async ({ params, ...call }) => {
    const webhooks = configured(call.hub)
    const row = await found(call, params.id)
    return json(await tests(() => deliverTest(webhooks, row, call.hub.ledger.now())))
  })

  const deliveries = forAll(
    'listDeliveries',
    'Show where a webhook stands, and its last deliveries',
    deliveryReportShape,
    byId
  )
  route('GET', '/webhooks/:id/deliveries', deliveries, async ({ params, ...call }) =>
    json(await deliveryReport(call.hub.ledger, await found(call, params.id)))
  )

  const tests = atMost(LIMITS.webhooksAtOnce.max)
}

/** Where it begins is written down for when a hub delivers, which does so itself where this fails. */
async function begun({ ledger: { storage } }: Hub, row: WebhookRow): Promise<void> {
  await begin(storage.state, row).catch(() => {})
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
