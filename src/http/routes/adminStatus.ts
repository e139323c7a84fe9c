import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { HUB_ID } from '../../../commands/tenants/hub/events.js'
import type { HubProvider } from '../../app/live.js'
import type { SubscriptionsByTenant } from '../../followers/feed/subscriptions.js'
import { LIGHT_CONTENTS } from '../../ops/contents.js'
import { models, type OwnPorts, probing } from '../../ops/probing.js'
import { Rounds } from '../../ops/readiness.js'
import { statusOf } from '../../ops/status.js'
import { ChoresDone } from '../../ops/tasks.js'
import { named } from '../openapi/names.js'
import { json } from '../reply.js'
import { forAdmins, routes } from '../route.js'

const count = z.int().min(0)
const position = z.int().min(0)
const time = z.iso.datetime()

/** How a hub stands. What is null of checkpoints and verifications, this process has not done yet. */
export const status = named('Status', {
  version: z.string(),
  startedAt: time,
  uptimeSeconds: count,
  memory: z.object({ rssBytes: count, heapUsedBytes: count, heapLimitBytes: count }),
  log: z.object({
    position,
    lastEventAt: time.nullable(),
    isSealed: z.boolean(),
    checkpoint: z.object({ position, at: time }).nullable(),
    verification: z
      .object({ at: time, status: z.enum(['ok', 'failed']), text: z.string(), position: position.nullable() })
      .nullable()
  }),
  projections: z.object({
    generation: count,
    versions: z.record(z.string(), z.int()),
    rebuild: z.object({ generation: count, position }).nullable()
  }),
  search: z.object({ position, behind: count, head: position }),
  followers: z.object({ count, oldestSince: time.nullable() }),
  checks: z.array(
    z.object({
      name: z.string(),
      status: z.enum(['ok', 'warning', 'failed']),
      text: z.string(),
      advice: z.string().nullable(),
      subject: z.string().nullable()
    })
  )
})

/** How the hub stands at a glance: for administrators. */
export function adminStatusRoutes(app: FastifyInstance, live: HubProvider, followers: SubscriptionsByTenant): void {
  const { readiness, choresDone: done } = app
  // Those that decide whether the hub is ready are asked there.
  const rounds = new Rounds<OwnPorts>([...LIGHT_CONTENTS, models], () => probing(live))

  const looking = forAdmins(
    'getStatus',
    'Tell how the hub stands: its log, read tables, search index, and what its checks find',
    status
  )
  routes(app, 'hub')('GET', '/admin/status', looking, async ({ hub }) => {
    const own = followers.of(hub.tenant)
    // What is checked is the hub itself, which is no tenant's to know.
    if (hub.tenant.id !== HUB_ID)
      return json(await statusOf(hub, { checked: [], done: new ChoresDone(), followers: own }))
    const checked = (await Promise.all([readiness.checked(), rounds.ask()])).flat()
    return json(await statusOf(hub, { checked, done, followers: own }))
  })
}
