import { z } from 'zod'
import { SPEND_BY } from '../../queries/llmSpend.js'
import { streamEvent, toldCall, toldUsage } from '../llm/stepEvents.js'
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

const toolCalls = z.array(named('ToolCall', toldCall))
const usage = named('Usage', toldUsage)

export const chatStep = named('ChatStep', z.object({ content: z.string(), toolCalls, usage }))
export const chatEvent = named('ChatEvent', streamEvent)
