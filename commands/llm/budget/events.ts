import { z } from 'zod'
import { empty } from '../../content.js'
import { begin, type EventsOf, emitter, event } from '../../event.js'

/** Whose use a budget counts: that of all, of an account, of the members of a group, or of a token. */
export const BUDGET_SUBJECTS = ['hub', 'user', 'group', 'token'] as const
export const BUDGET_UNITS = ['tokens', 'usd'] as const
/** How long a budget lasts until it begins anew: a day, a week from Monday on, or a month, in UTC. */
export const BUDGET_PERIODS = ['day', 'week', 'month'] as const
export type BudgetPeriod = (typeof BUDGET_PERIODS)[number]

/** How much may be used of models, by whom and for how long. */
export const budget = z.object({
  name: z.string().describe('What the budget is called, unlike any other.'),
  subject: z
    .enum(BUDGET_SUBJECTS)
    .describe('Whose use it counts: all of the hub, an account, the members of a group, or a token.'),
  subjectId: z.string().nullable().describe('The id of the account, the group or the token; null for all of the hub.'),
  model: z.string().nullable().describe('The id of the one model that it counts; null for all.'),
  unit: z.enum(BUDGET_UNITS).describe('What `limit` is in: tokens, or US dollars.'),
  period: z.enum(BUDGET_PERIODS).describe('How long it lasts until it begins anew, in UTC; a week begins on Monday.'),
  limit: z.number().describe('How much may be used in a period.')
})
export type Budget = Readonly<z.infer<typeof budget>>

/** The shares of its limit at which an event tells of it. */
export const BUDGET_WARNINGS = [80, 100] as const

export const budgetEvents = {
  LlmBudgetCreated: begin(budget),
  LlmBudgetUpdated: event(budget),
  LlmBudgetDeleted: event(empty),
  /** So many hundredths of a budget are used, the first time in its period; `used` and `limit` are in its unit. */
  LlmBudgetWarned: event(
    budget.pick({ name: true, unit: true, limit: true }).extend({
      period: z.string(),
      percent: z.number(),
      used: z.number()
    })
  )
}
export type BudgetEvent = EventsOf<typeof budgetEvents>
export const emitBudget = emitter('llmbudget', budgetEvents)
