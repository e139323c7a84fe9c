import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { alike, name } from '../../../commands/content.js'
import { BUDGET_MOST } from '../../../commands/llm/budget/amounts.js'
import { BUDGET } from '../../../commands/llm/budget/decide.js'
import { budget as content } from '../../../commands/llm/budget/events.js'
import { existing } from '../../../commands/records/kind.js'
import { allBudgets, budgetStates, ownBudgets } from '../../../queries/llmBudgets.js'
import type { Hub } from '../../app/hub.js'
import { timeText } from '../../lib/clock.js'
import { boundedText, LIMITS } from '../../limits.js'
import { created, listAnswer } from '../answers.js'
import { llmBudget } from '../llmAnswers.js'
import { llmFor, mayUse } from '../modelClient.js'
import { done, json } from '../reply.js'
import { routes } from '../route.js'

const of = content.shape
const limit = z.number().positive('limit must be above 0.').max(BUDGET_MOST, `limit must be at most ${BUDGET_MOST}.`)

const newBudget = z.object({
  name: alike(name, of.name),
  subject: of.subject,
  subjectId: alike(boundedText(LIMITS.label).nullable().default(null), of.subjectId),
  model: alike(boundedText(LIMITS.modelId).min(1).nullable().default(null), of.model),
  unit: of.unit,
  period: of.period,
  limit: alike(limit, of.limit)
})
const changes = z.object({
  name: alike(name.optional(), of.name),
  limit: alike(limit.optional(), of.limit)
})

/** Budgets of models: for administrators, and those of whoever asks. */
export function llmBudgetRoutes(app: FastifyInstance): void {
  const route = routes(app, 'LLM')
  const budgets = listAnswer('budgets', llmBudget)

  route('GET', '/llm/budgets', 'listOwnLlmBudgets', budgets, {
    summary: 'List the budgets that count what the caller uses of models',
    about:
      'Those of the hub, of the account, of its groups and of the token, of models that it may use. What all others use counts in them, too. 503 where no models are configured.',
    refuses: [403],
    handle: async ({ hub, readModel, caller, token }) => {
      const models = llmFor(hub, caller).models.flatMap(({ id }) => (mayUse(caller, id) ? id : []))
      const who = { userId: caller.userId, tokenId: token.id, models }
      return json({ budgets: await ownBudgets(who, readModel, nowOf(hub)) })
    }
  })

  route('GET', '/admin/llm/budgets', 'listLlmBudgets', budgets, {
    summary: 'List the budgets of models',
    about: 'They come by name.',
    handle: async ({ hub, readModel }) => json({ budgets: await allBudgets(readModel, nowOf(hub)) })
  })

  route('POST', '/admin/llm/budgets', 'createLlmBudget', created(llmBudget), {
    summary: 'Make a budget of models',
    about:
      'It counts calls that begin from now on. A call is made where the most that it can use is left of each budget that counts it, and that is held until it is over. At 80 and 100 percent an event tells of it. A name that another budget has, in whatever case, is refused with 400.',
    body: newBudget,
    takes: 'content',
    handle: async ({ hub, body, run }) => {
      const id = randomUUID()
      await run({ type: 'CreateLlmBudget', id, budget: body })
      return json(await stateOf(hub, id), 201)
    }
  })

  route('GET', '/admin/llm/budgets/:id', 'getLlmBudget', llmBudget, {
    summary: 'Get a budget of models',
    about: 'With what is used of it in the period of now.',
    handle: async ({ hub, params }) => json(await stateOf(hub, params.id))
  })

  route('PUT', '/admin/llm/budgets/:id', 'updateLlmBudget', llmBudget, {
    summary: 'Change the name or the limit of a budget of models',
    about: 'What is used of it stays used. What it counts is never changed: for that another is made.',
    body: changes,
    takes: 'content',
    handle: async ({ hub, params: { id }, body, run }) => {
      await run({ type: 'UpdateLlmBudget', id, changes: body })
      return json(await stateOf(hub, id))
    }
  })

  route('DELETE', '/admin/llm/budgets/:id', 'deleteLlmBudget', null, {
    summary: 'Delete a budget of models',
    about: 'It refuses nothing from the next call on.',
    handle: ({ params, run }) => done(run({ type: 'DeleteLlmBudget', id: params.id }))
  })
}

async function stateOf(hub: Hub, id: string) {
  const { readModel } = hub.ledger
  const row = await existing(BUDGET, id, readModel)
  const [told] = await budgetStates([row], readModel, nowOf(hub))
  return told
}

function nowOf({ ledger }: Hub): string {
  return timeText(ledger.now())
}
