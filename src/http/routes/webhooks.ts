import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { id } from '../../../commands/content.js'
import { ownWebhook } from '../../../commands/webhooks/decide.js'
import { DISABLED_REASONS } from '../../../commands/webhooks/events.js'
import { webhooksTable } from '../../../projections/webhooks.js'
import { webhookFields } from '../../../queries/fields.js'
import { listWebhooks, webhookRecord } from '../../../queries/webhooks.js'
import type { Hub } from '../../app/hub.js'
import { errors } from '../../errors.js'
import { webhookInput } from '../../followers/webhooks/input.js'
import type { WebhookRow } from '../../followers/webhooks/message.js'
import { deliverTest, deliveryReport } from '../../followers/webhooks/report.js'
import type { Webhooks } from '../../followers/webhooks/service.js'
import { begin } from '../../followers/webhooks/standing.js'
import { LIMITS } from '../../limits.js'
import { listAnswer } from '../answers.js'
import { freshList } from '../lists.js'
import { paging } from '../paging.js'
import { json, noContent, record } from '../reply.js'
import { type RouteCall, routes } from '../route.js'
import { idParams } from './input.js'

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
const attempt = {
  messageId: z.string(),
  status: z.int().nullable(),
  error: z.string().nullable(),
  answer: z.string(),
  durationMs: z.int()
}
const delivery = z.object({ ...attempt, position: z.int(), type: z.string(), at: z.string(), attempt: z.int() })
const failing = z.object({ position: z.int(), attempts: z.int(), since: z.string(), nextAttemptAt: z.string() })
const report = z.object({
  position: z.int(),
  end: z.int(),
  failing: failing.nullable(),
  deliveries: z.array(delivery)
})
const withSecret = z.object({ webhook, secret: z.string() })

type Call = Pick<RouteCall<unknown, unknown>, 'hub' | 'caller'>

/** Subscriptions of URLs to changes: users see to their own, administrators to all. */
export function webhookRoutes(app: FastifyInstance): void {
  const route = routes(app, 'webhooks')
  const one = { params: idParams, access: 'any' } as const

  route(
    'GET',
    '/webhooks',
    {
      operation: 'listWebhooks',
      summary: 'List the webhooks of the caller; administrators see all',
      answers: { 200: listAnswer('webhooks', webhook) },
      isTagged: true,
      query: paging,
      access: 'any'
    },
    async ({ hub, caller, query }) => {
      configured(hub)
      const rows = listWebhooks(caller.role === 'admin' ? undefined : caller.userId)
      const records = (some: readonly WebhookRow[]) => some.map(webhookRecord)
      return freshList(hub.ledger.readModel, { ...rows, name: 'webhooks', fields: webhookFields, records }, query)
    }
  )

  route(
    'POST',
    '/webhooks',
    {
      operation: 'createWebhook',
      summary: 'Subscribe a URL to changes; its signing secret is told once',
      answers: { 201: withSecret },
      refuses: [403, 404, 409],
      body: webhookInput,
      access: 'any'
    },
    async ({ hub, body, change }) => {
      const { key } = configured(hub)
      const row = await change({ type: 'CreateWebhook', id: randomUUID(), content: body }, webhooksTable)
      await begun(hub, row)
      return json(shownOnce(row, key.secretOf(row.id, row.secretVersion)), 201)
    }
  )

  route(
    'GET',
    '/webhooks/:id',
    { ...one, operation: 'getWebhook', isTagged: true, summary: 'Show a webhook', answers: { 200: webhook } },
    async ({ params, ...call }) => {
      const row = await found(call, params.id)
      return record(webhookRecord(row), row)
    }
  )

  route(
    'PUT',
    '/webhooks/:id',
    {
      ...one,
      body: change,
      operation: 'changeWebhook',
      isTagged: true,
      takesIfMatch: true,
      refuses: [403, 409],
      summary: 'Change a webhook, or switch it on or off',
      answers: { 200: webhook }
    },
    async ({ params, body: { isEnabled, ...content }, ifRevision, hub, change }) => {
      configured(hub)
      const command = { type: 'ChangeWebhook', id: params.id, content, isEnabled, ifRevision } as const
      const row = await change(command, webhooksTable)
      return record(webhookRecord(row), row)
    }
  )

  route(
    'DELETE',
    '/webhooks/:id',
    { ...one, operation: 'deleteWebhook', takesIfMatch: true, summary: 'Delete a webhook', answers: { 204: null } },
    async ({ params, ifRevision, hub, run }) => {
      configured(hub)
      await run({ type: 'DeleteWebhook', id: params.id, ifRevision })
      return noContent
    }
  )

  route(
    'POST',
    '/webhooks/:id/rotate',
    {
      ...one,
      operation: 'rotateWebhookSecret',
      refuses: [409],
      summary: 'Make a new signing secret',
      answers: { 200: withSecret }
    },
    async ({ params, hub, change }) => {
      const { key } = configured(hub)
      const row = await change({ type: 'RotateWebhookSecret', id: params.id }, webhooksTable)
      return json(shownOnce(row, key.secretOf(row.id, row.secretVersion)))
    }
  )

  route(
    'POST',
    '/webhooks/:id/enable',
    {
      ...one,
      operation: 'enableWebhook',
      isTagged: true,
      refuses: [403],
      summary: 'Switch a webhook on again, where it was left',
      answers: { 200: webhook }
    },
    async ({ params, hub, change }) => {
      configured(hub)
      const row = await change({ type: 'EnableWebhook', id: params.id }, webhooksTable)
      return record(webhookRecord(row), row)
    }
  )

  route(
    'POST',
    '/webhooks/:id/replay',
    {
      ...one,
      body: replay,
      operation: 'replayWebhook',
      isTagged: true,
      summary: 'Deliver again from a position of the log',
      answers: { 200: webhook }
    },
    async ({ params, body: { after }, hub, change }) => {
      configured(hub)
      const end = hub.ledger.readModel.head.position
      if (after > end) throw errors.beyondEnd('after', end)
      const row = await change({ type: 'ReplayWebhook', id: params.id, after }, webhooksTable)
      return record(webhookRecord(row), row)
    }
  )

  route(
    'POST',
    '/webhooks/:id/test',
    {
      ...one,
      takesKey: false,
      operation: 'testWebhook',
      summary: 'Deliver a test message at once',
      answers: { 200: z.object(attempt) }
    },
    async ({ params, ...call }) => {
      const webhooks = configured(call.hub)
      const row = await found(call, params.id)
      return json(await tests(() => deliverTest(webhooks, row, call.hub.ledger.now())))
    }
  )

  route(
    'GET',
    '/webhooks/:id/deliveries',
    {
      ...one,
      operation: 'listDeliveries',
      summary: 'Show where a webhook stands, and its last deliveries',
      answers: { 200: report }
    },
    async ({ params, ...call }) => json(await deliveryReport(call.hub.ledger, await found(call, params.id)))
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
