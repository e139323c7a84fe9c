import { z } from 'zod'
import { spendReport as describedSpend } from '../../queries/llmSpend.js'
import { streamEvent, toldCall, toldUsage } from '../llm/stepEvents.js'
import { named } from './openapi/names.js'

/** What the routes of models answer, for the description of the interface. */

const count = z.int().min(0)

export const models = named('Models', {
  models: z.array(z.object({ id: z.string(), label: z.string(), provider: z.string() })),
  capabilities: z.object({ openai: z.boolean() })
})
/** What the account has used in a UTC month, and what it may use; null for as much as it likes. */
export const monthlyUsage = named('MonthlyUsage', { period: z.string(), totalTokens: count, limit: z.int().nullable() })

const toolCalls = z.array(named('ToolCall', toldCall))
const usage = named('Usage', toldUsage)

export const spendReport = named('SpendReport', describedSpend)
export const chatStep = named('ChatStep', { content: z.string(), toolCalls, usage })
export const chatEvent = named('ChatEvent', streamEvent)
