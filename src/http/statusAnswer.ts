import { z } from 'zod'
import { named } from './openapi/names.js'

const count = z.int().min(0)
const position = z.int().min(0)
const time = z.iso.datetime()

/** How a hub stands. What is null of checkpoints and verifications, this process has not done yet. */
export const status = named(
  'Status',
  z.object({
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
)
