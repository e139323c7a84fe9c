import { z } from 'zod'
import { begin, type EventsOf, emitter, event } from '../event.js'

/** What was used; in a month, `totalTokens` is prompt and completion together. */
export const tokenCounts = z.object({
  promptTokens: z.number(),
  completionTokens: z.number(),
  totalTokens: z.number()
})

/** What one chat step used. It says nothing of what was said. */
export const llmStep = z.object({
  userId: z.string(),
  tokenId: z.string().nullable(),
  /** UTC month, `YYYY-MM`. */
  period: z.string(),
  model: z.string(),
  provider: z.string(),
  ...tokenCounts.shape,
  isNewTurn: z.boolean(),
  hadToolCalls: z.boolean(),
  messageCount: z.number(),
  outcome: z.enum(['completed', 'failed', 'cancelled']),
  /** True where the provider did not say and the hub had to reckon. */
  estimated: z.boolean()
})
export type LlmStep = z.infer<typeof llmStep>

/** By which a step that goes on with a turn is told from one that says so: digests of the ids of calls, which say nothing of what they ask. */
export const turnLinks = z.object({
  /** The calls of the client's tools that the step has ended in. */
  calls: z.array(z.string()).optional(),
  /** The call whose result the step was asked to go on with. */
  answers: z.string().optional()
})
export type TurnLinks = z.infer<typeof turnLinks>

/** The interfaces of other programs that a model is asked in. */
export const INTERFACES = ['chat.completions', 'responses', 'embeddings', 'messages'] as const

/** How a call came. A step of a desktop's chat says no more of it than how many models were asked. */
export const callOrigin = z.object({
  interface: z.enum(INTERFACES).optional(),
  /** What the program calls itself. */
  tool: z.string().optional(),
  /** How often somebody was asked, where that was more than once. */
  attempts: z.number().optional()
})
export type CallOrigin = z.infer<typeof callOrigin>

/** What all calls on their way hold of a budget after an event: whole tokens, or millionths of a dollar. */
const held = z.object({ id: z.string(), held: z.number() })
const sums = {
  /** With what this call holds. */
  reserved: held.extend({ amount: z.number() }),
  left: held,
  /** With what is used in which period, and how much of it by this call, where the budget counts the model that has answered. */
  counted: held.extend({
    used: z.number().optional(),
    period: z.string().optional(),
    amount: z.number().optional()
  })
}
/** What is held and used of a budget after an event. */
export type BudgetSums = Readonly<z.infer<typeof sums.counted>>

/** A month of an account after an event; `unloggedTokens` are of calls that were lost with their hub, or came from an older one. */
const month = tokenCounts.extend({ unloggedTokens: z.number() })
export type Month = Readonly<z.infer<typeof month>>

export const llmEvents = {
  /** A new turn is admitted; its tokens count as used until it is settled, released or expired. */
  LlmTurnReserved: begin(
    z.object({
      userId: z.string(),
      period: z.string(),
      tokens: z.number(),
      expiresAt: z.string(),
      /** Where the tokens are the most that one call can use, and not what a chat is expected to. */
      isMost: z.literal(true).optional(),
      budgets: z.array(sums.reserved).optional()
    })
  ),
  /** The turn is still on its way; its tokens count for so much longer. Where it asks on, it holds so many from now on. */
  LlmTurnExtended: event(
    z.object({
      expiresAt: z.string(),
      tokens: z.number().optional(),
      budgets: z.array(sums.reserved).optional()
    })
  ),
  LlmTurnReleased: event(z.object({ budgets: z.array(sums.left).optional() })),
  /** Nobody says any more that the turn is on its way. Budgets count what it held as used, and so does the month, of one call. */
  LlmTurnExpired: event(
    z.object({
      budgets: z.array(sums.counted).optional(),
      month: month.extend({ userId: z.string(), period: z.string() }).optional()
    })
  ),
  /** A step is done and its turn settled. `usage` is the month after it. */
  LlmStepRecorded: event(
    llmStep.extend({
      ...turnLinks.shape,
      ...callOrigin.shape,
      budgets: z.array(sums.counted).optional(),
      usage: month
    })
  )
}
export type LlmEvent = EventsOf<typeof llmEvents>
export const emitLlm = emitter('llmstep', llmEvents)
