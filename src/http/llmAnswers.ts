import { z } from 'zod'
import { budget } from '../../commands/llm/budget/events.js'
import { spendReport as describedSpend, SPEND_BY } from '../../queries/llmSpend.js'
import { answeredCall, answeredUsage, streamEvent } from '../llm/stepEvents.js'
import { named } from './openapi/names.js'

/** What the routes of models answer, for the description of the interface. */

const count = z.int().min(0)

export const models = named('Models', 'Models on offer.', {
  models: z
    .array(
      z.object({
        id: z.string().describe('The id, by which a chat step names it.'),
        label: z.string().describe('What people call it.'),
        provider: z
          .enum(['openai', 'claude', 'gemini'])
          .describe('Who serves it; of an endpoint of the configuration the one whose interface it speaks.')
      })
    )
    .describe('The models, in the order of the configuration.'),
  capabilities: z
    .object({ openai: z.boolean().describe('Whether the hub has a key of OpenAI.') })
    .describe('What the hub can do besides.')
})
/** What the account has used in a UTC month, and what it may use; null for as much as it likes. */
export const monthlyUsage = named('MonthlyUsage', 'What an account has used this month.', {
  period: z.string().describe('The month in UTC, `YYYY-MM`.'),
  totalTokens: count.describe('The tokens that it has used.'),
  limit: z.int().nullable().describe('How many it may use; null for as many as it likes.')
})

/** A budget, and what is used of it in the period of now, in its unit. */
export const llmBudget = named('LlmBudget', 'How much of models may be used by whom, and what is used of it.', {
  id: z.string().describe('The id of the budget.'),
  ...budget.shape,
  used: z.number().describe('What calls that are over have used in this period.'),
  held: z.number().describe('The most that calls on their way may use.'),
  endsAt: z.string().describe('When this period is over, and nothing is used any more.'),
  createdAt: z.string().describe('When it was made.'),
  updatedAt: z.string().describe('When it was changed last.')
})

const toolCalls = z.array(named('ToolCall', 'A call of a tool that a model asks for.', answeredCall))
const usage = named('Usage', 'The tokens of a chat step.', answeredUsage)

export const spendReport = named('SpendReport', 'What models were used for, and what that cost.', describedSpend)
const { key, name, ...spent } = describedSpend.shape.usage.element.shape
/** The lines of the report as files have them: what it is told by is a field of its own. */
export const spendLine = named('SpendLine', 'A line of what models were used for, and what that cost.', {
  ...{ from: describedSpend.shape.from, to: describedSpend.shape.to, currency: describedSpend.shape.currency },
  ...Object.fromEntries(SPEND_BY.map((by) => [by, key.optional()])),
  name: name.unwrap().describe('The name of the account or the token; null for others, and where it is gone.'),
  ...spent
})
export const spendTable = z.string().describe('The same lines as CSV (RFC 4180), with their titles.')
export const chatStep = named('ChatStep', 'What a model has answered.', {
  content: z.string().describe('The text; empty for none.'),
  toolCalls: toolCalls.describe('The calls that the client has to run before the next step.'),
  usage: usage.describe('The tokens of the step.')
})
export const chatEvent = named(
  'ChatEvent',
  'One event of a streamed chat step. The last one is `step.end`, `turn.error` or `turn.cancelled`.',
  streamEvent
)
