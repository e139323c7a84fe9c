import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { SPEND_BY, spendDays, spendOf } from '../../../queries/llmSpend.js'
import { boundedText, LIMITS } from '../../limits.js'
import { pricesOf } from '../../llm/catalog.js'
import { spendReport } from '../llmAnswers.js'
import { json } from '../reply.js'
import { forAdmins, routes } from '../route.js'

const day = boundedText(LIMITS.label).optional()
const query = z.strictObject({ by: z.enum(SPEND_BY).default('user'), month: day, from: day, to: day })

/** What models were used for and what that cost: for administrators. */
export function adminLlmRoutes(app: FastifyInstance): void {
  const route = routes(app, 'LLM')

  const spending = forAdmins('getLlmSpending', 'Tell what models were used for and what that cost', spendReport, {
    query
  })
  route('GET', '/admin/llm/usage', spending, async ({ hub, query: { by, ...days } }) => {
    const today = new Date(hub.ledger.now()).toISOString().slice(0, 10)
    return json(await spendOf(hub.ledger.readModel, by, spendDays(days, today), pricesOf(hub.config)))
  })
}
