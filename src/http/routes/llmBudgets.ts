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
import { listAnswer } from '../answers.js'
import { llmBudget } from '../llmAnswers.js'
import { llmFor, mayUse } from '../modelClient.js'
import { json, noContent } from '../reply.js'
import { declared, routes } from '../route.js'
import { byId } from './input.js'

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

  const own = declared('listOwnLlmBudgets', 'List the budgets that count what the caller uses of models', budgets, {
    refuses: [403],
    about:
      'Those of the hub, of the account, of its groups and of the token, of models that it may use. What all others use counts in them, too. 503 where no models are configured.'
  })
  route('GET', '/llm/budgets', own, async ({ hub, caller, token }) => {
    const models = llmFor(hub, caller).models.flatMap(({ id }) => (mayUse(caller, id) ? id : []))
    const who = { userId: caller.userId, tokenId: token.id, models }
    return json({ budgets: await ownBudgets(who, hub.ledger.readModel, nowOf(hub)) })
  })

  const list = declared('listLlmBudgets', 'List the budgets of models', budgets, { about: 'They come by name.' })
  route('GET', '/admin/llm/budgets', list, async ({ hub }) =>
    json({ budgets: await allBudgets(hub.ledger.readModel, nowOf(hub)) })
  )

  const creation = declared(
    'createLlmBudget',
    'Make a budget of models',
    { 201: llmBudget },
    {
      body: newBudget,
      takes: 'content',
      about:
        'It counts calls that begin from now on. A call is made where the most that it can use is left of each budget that counts it, and that is held until it is over. At 80 and 100 percent an event tells of it. A name that another budget has, in whatever case, is refused with 400.'
    }
  )
  route('POST', '/admin/llm/budgets', creation, async ({ hub, body, run }) => {
    const id = randomUUID()
    await run({ type: 'CreateLlmBudget', id, budget: body })
    return json(await stateOf(hub, id), 201)
  })

  const getting = declared('getLlmBudget', 'Get a budget of models', llmBudget, {
    ...byId,
    about: 'With what is used of it in the period of now.'
  })
  route('GET', '/admin/llm/budgets/:id', getting, async ({ hub, params }) => json(await stateOf(hub, params.id)))

  const update = declared('updateLlmBudget', 'Change the name or the limit of a budget of models', llmBudget, {
    ...byId,
    body: changes,
    takes: 'content',
    about: 'What is used of it stays used. What it counts is never changed: for that another is made.'
  })
  route('PUT', '/admin/llm/budgets/:id', update, async ({ hub, params: { id }, body, run }) => {
    await run({ type: 'UpdateLlmBudget', id, changes: body })
    return json(await stateOf(hub, id))
  })

  const deletion = declared('deleteLlmBudget', 'Delete a budget of models', null, {
    ...byId,
    about: 'It refuses nothing from the next call on.'
  })
  route('DELETE', '/admin/llm/budgets/:id', deletion, async ({ params, run }) => {
    await run({ type: 'DeleteLlmBudget', id: params.id })
    return noContent
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
