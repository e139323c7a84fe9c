import * as assert from 'uvu/assert'
import { type Endpoint, refuses, type Sample, works } from '../endpoint.js'

const ABSENT = 'LLM support is not configured on this Team Hub.'
const step = { model: 'gpt-6.1-sol', messages: [{ role: 'user', content: 'Hello' }] }

/** A route on a hub without an `llm` section: 503 for whoever has a token, before it matters who that is. */
function absent(row: Endpoint['row'], sample: Sample = {}): Endpoint {
  return {
    row,
    access: 'any',
    success: 503,
    refusals: [],
    sample: () => sample,
    cases: [
      refuses(503, ABSENT, 'no llm section', () => sample),
      refuses(503, ABSENT, 'no llm section, and no LLM access either', async (world) => ({
        ...sample,
        by: await world.user()
      })),
      refuses(503, ABSENT, 'no llm section, for an administrator', ({ admin }) => ({ ...sample, by: admin }))
    ]
  }
}

/** Section 4, LLM routes, and the list of models for administrators. What they do with the section has tests of its own. */
export const llmEndpoints: readonly Endpoint[] = [
  absent('GET /llm/models'),
  absent('GET /admin/llm/models'),
  absent('GET /llm/usage'),
  absent('POST /llm/chat/step', { body: step }),
  absent('POST /llm/chat/stream', { body: { ...step, turnId: 'turn', stepIndex: 0 } }),
  {
    row: 'GET /admin/llm/usage',
    access: 'admin',
    success: 200,
    refusals: [400, 403],
    sample: () => ({}),
    cases: [
      works('a month in which nothing was used, also on a hub that serves no models now', () => ({
        query: 'month=2024-02&by=model',
        check: ({ body }) =>
          assert.equal(body, {
            by: 'model',
            from: '2024-02-01',
            to: '2024-02-29',
            currency: 'USD',
            usage: [],
            total: { steps: 0, promptTokens: 0, completionTokens: 0, totalTokens: 0, cost: null },
            unpriced: [],
            unloggedTokens: 0
          })
      })),
      refuses(400, 'month must be a UTC month such as 2026-01.', 'no month', () => ({ query: 'month=2026-13' })),
      refuses(400, 'from must be a UTC day such as 2026-01-31.', 'no day', () => ({ query: 'from=2026-02-30' })),
      refuses(400, 'to must not be before from.', 'an end before the beginning', () => ({
        query: 'from=2026-02-02&to=2026-02-01'
      })),
      refuses(400, 'month stands for all of a month: leave out from and to.', 'a month and an end', () => ({
        query: 'month=2026-01&to=2026-02-01'
      })),
      refuses(400, 'A report covers at most 731 days.', 'too many days', () => ({
        query: 'from=2020-01-01&to=2026-02-01'
      })),
      refuses(400, null, 'another order', () => ({ query: 'by=colour' }))
    ]
  }
]
