import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { holds, text } from '../client.js'
import { type Row, refuses, works } from '../endpoint.js'
import { succeeded, type World } from '../world.js'

const aBudget = (over: object = {}) => ({
  ...{ name: `Budget ${randomUUID()}`, subject: 'hub', unit: 'tokens', period: 'month', limit: 1_000_000, ...over }
})

async function budgetIn(world: World, over: object = {}): Promise<string> {
  return text(succeeded(await world.by(world.admin).post('/admin/llm/budgets', aBudget(over))).body, 'id')
}

const there = async (world: World) => ({ params: { id: await budgetIn(world) } })

/** Budgets of models. What they refuse has tests of its own, with models. */
export const llmBudgetRows: readonly Row[] = [
  {
    ...{ row: 'GET /llm/budgets', access: 'any', success: 503, sample: () => ({}) },
    cases: [refuses(503, 'LLM support is not configured on this Team Hub.', 'no llm section', {})]
  },
  { row: 'GET /admin/llm/budgets', sample: there },
  {
    row: 'POST /admin/llm/budgets',
    sample: () => ({ body: aBudget() }),
    cases: [
      works('one that is in dollars, of an account', async (world) => {
        const { id: subjectId } = await world.user()
        return {
          body: aBudget({ subject: 'user', subjectId, unit: 'usd', limit: 0.25 }),
          check: ({ body }) => holds(body, { subjectId, model: null, limit: 0.25, used: 0, held: 0 })
        }
      }),
      refuses(400, /limit must be above 0/, 'nothing', { body: aBudget({ limit: 0 }) })
    ]
  },
  { row: 'GET /admin/llm/budgets/:id', sample: there },
  {
    row: 'PUT /admin/llm/budgets/:id',
    sample: async (world) => ({ ...(await there(world)), body: { limit: 5 } }),
    cases: [
      works('what is left out stays', async (world) => {
        const name = `Budget ${randomUUID()}`
        const id = await budgetIn(world, { name, unit: 'usd', period: 'week' })
        return {
          params: { id },
          body: { limit: 12.5 },
          check: ({ body }) => holds(body, { name, unit: 'usd', period: 'week', limit: 12.5 })
        }
      })
    ]
  },
  {
    row: 'DELETE /admin/llm/budgets/:id',
    sample: there,
    cases: [
      works('it is gone', async (world) => {
        const id = await budgetIn(world)
        return {
          params: { id },
          check: async () => assert.is((await world.by(world.admin).get(`/admin/llm/budgets/${id}`)).status, 404)
        }
      })
    ]
  }
]
