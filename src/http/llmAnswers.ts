import { z } from 'zod'
import { SPEND_BY } from '../../queries/llmSpend.js'
import { named } from '../openapi/names.js'

/** What the routes of models answer, for the description of the interface. */

const count = z.int().min(0)

export const models = named(
  'Models',
  z.object({
    models: z.array(z.object({ id: z.string(), label: z.string(), provider: z.string() })),
    capabilities: z.object({ openai: z.boolean() })
  })
)
/** What the account has used in a UTC month, and what it may use; null for as much as it likes. */
export const monthlyUsage = named(
  'MonthlyUsage',
  z.object({ period: z.string(), totalTokens: count, limit: z.int().nullable() })
)

const spend = {
  steps: count,
  promptTokens: count,
  completionTokens: count,
  totalTokens: count,
  cost: z.number().nullable()
}
export const spendReport = named(
  'SpendReport',
  z.object({
    by: z.enum(SPEND_BY),
    from: z.iso.date(),
    to: z.iso.date(),
    currency: z.literal('USD'),
    usage: z.array(z.object({ key: z.string(), name: z.string().nullable().optional(), ...spend })),
    total: z.object(spend),
    unpriced: z.array(z.string()),
    unloggedTokens: count
  })
)

const toolCall = named('ToolCall', z.object({ id: z.string(), name: z.string(), arguments: z.string() }))
const usage = named('Usage', z.object({ promptTokens: count, completionTokens: count, totalTokens: count }))

export const chatStep = named('ChatStep', z.object({ content: z.string(), toolCalls: z.array(toolCall), usage }))

/** What every event of a streamed step carries. */
const every = { v: z.literal(1), turnId: z.string(), stepIndex: count }
const call = { callId: z.string(), name: z.string() }

/** One event of a streamed step. The last one is `step.end`, `turn.error` or `turn.cancelled`. */
export const chatEvent = named(
  'ChatEvent',
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('step.start'), ...every }),
    z.object({ type: z.enum(['delta.text', 'delta.thought']), chunk: z.string(), ...every }),
    z.object({
      type: z.literal('tool.call'),
      ...call,
      owner: z.enum(['harbor', 'hub']),
      arguments: z.string(),
      ...every
    }),
    z.object({
      type: z.literal('tool.result'),
      ...call,
      owner: z.literal('hub'),
      summary: z.string(),
      ok: z.boolean(),
      ...every
    }),
    z.object({
      type: z.literal('step.end'),
      content: z.string().nullable(),
      toolCalls: z.array(toolCall).optional(),
      usage,
      iteration: z.object({ hitIterationLimit: z.literal(true), boundary: z.literal('hub_inner') }).optional(),
      ...every
    }),
    z.object({ type: z.literal('turn.error'), message: z.string(), ...every }),
    z.object({ type: z.literal('turn.cancelled'), ...every })
  ])
)
