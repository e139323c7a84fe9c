import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { HUB_ID } from '../../../commands/tenants/hub/events.js'
import type { HubProvider } from '../../app/live.js'
import type { SubscriptionsByTenant } from '../../followers/feed/subscriptions.js'
import { LIGHT_CONTENTS } from '../../ops/contents.js'
import { models, type OwnPorts, probing } from '../../ops/probing.js'
import { SharedChecks } from '../../ops/readiness.js'
import { statusOf } from '../../ops/status.js'
import { ChoresDone } from '../../ops/tasks.js'
import { named } from '../openapi/names.js'
import { json } from '../reply.js'
import { routes } from '../route.js'

const count = z.int().min(0)
const position = z.int().min(0)
const time = z.iso.datetime()

/** How a hub stands. What is null of checkpoints and verifications, this process has not done yet. */
export const status = named('Status', 'How the hub stands.', {
  version: z.string().describe('The version of the hub.'),
  startedAt: time.describe('When the process was started.'),
  uptimeSeconds: count.describe('For how many seconds it has run.'),
  memory: z
    .object({
      rssBytes: count.describe('What the process holds of the memory of the machine, in bytes.'),
      heapUsedBytes: count.describe('What its JavaScript objects take, in bytes.'),
      heapLimitBytes: count.describe('What they may take at most, in bytes.')
    })
    .describe('The memory of the process.'),
  log: z
    .object({
      position: position.describe('The position of the last event.'),
      lastEventAt: time.nullable().describe('When that was; null where the log is empty.'),
      isSealed: z.boolean().describe('Whether events are sealed with a key.'),
      checkpoint: z
        .object({ position: position.describe('The end that was signed.'), at: time.describe('When it was signed.') })
        .nullable()
        .describe('The last checkpoint of this process; null where it has made none.'),
      verification: z
        .object({
          at: time.describe('When it was done.'),
          status: z.enum(['ok', 'failed']).describe('Whether the log was found whole.'),
          text: z.string().describe('What was found, for people.'),
          position: position
            .nullable()
            .describe('Where something is wrong, or up to where it was verified; null for neither.')
        })
        .nullable()
        .describe('The last verification by this process; null where it has done none.')
    })
    .describe('The log.'),
  projections: z
    .object({
      generation: count.describe('The generation that is read.'),
      versions: z.record(z.string(), z.int()).describe('The version of each projector, by name.'),
      rebuild: z
        .object({
          generation: count.describe('The generation that is made.'),
          position: position.describe('The position of the log that it has come to.')
        })
        .nullable()
        .describe('New read tables that are being made; null where none are.')
    })
    .describe('The read tables.'),
  search: z
    .object({
      position: position.describe('The position of the log that the index has come to.'),
      behind: count.describe('How many events it is behind.'),
      head: position.describe('The position at which the log ends.')
    })
    .describe('The search index.'),
  followers: z
    .object({
      count: count.describe('How many streams of changes are open at this process.'),
      oldestSince: time.nullable().describe('Since when the oldest is; null where there is none.')
    })
    .describe('Who follows changes.'),
  checks: z
    .array(
      z.object({
        name: z.string().describe('What is checked.'),
        status: z.enum(['ok', 'warning', 'failed']).describe('What was found.'),
        text: z.string().describe('The same for people.'),
        advice: z.string().nullable().describe('What to do about it; null where there is nothing to do.'),
        subject: z.string().nullable().describe('What of several things it is about; null where there is one.')
      })
    )
    .describe('What the checks of the hub find. Of a tenant there are none.')
})

/** How the hub stands at a glance: for administrators. */
export function adminStatusRoutes(app: FastifyInstance, live: HubProvider, followers: SubscriptionsByTenant): void {
  const { readiness, choresDone: done } = app
  // Those that decide whether the hub is ready are asked there.
  const checks = new SharedChecks<OwnPorts>([...LIGHT_CONTENTS, models], () => probing(live))

  routes(app, 'hub')('GET', '/admin/status', 'getStatus', status, {
    summary: 'Tell how the hub stands: its log, read tables, search index, and what its checks find',
    about: 'It tells of the process that answers. To the administrators of a tenant it tells of the tenant alone.',
    handle: async ({ hub }) => {
      const own = followers.of(hub.tenant)
      // What is checked is the hub itself, which is no tenant's to know.
      if (hub.tenant.id !== HUB_ID)
        return json(await statusOf(hub, { checked: [], done: new ChoresDone(), followers: own }))
      const checked = (await Promise.all([readiness.checked(), checks.ask()])).flat()
      return json(await statusOf(hub, { checked, done, followers: own }))
    }
  })
}
