import * as assert from 'uvu/assert'
import { type Row, refuses, type Sample, works } from '../endpoint.js'

const ABSENT = 'LLM support is not configured on this Team Hub.'
const step = { model: 'gpt-6.1-sol', messages: [{ role: 'user', content: 'Hello' }] }

/** A route on a hub without an `llm` section: 503 for whoever has a token, before it matters who that is. */
const absent = (row: Row['row'], sample: Sample = {}): Row => ({
  ...{ row, access: 'any', success: 503, sample: () => sample },
  cases: [refuses(503, ABSENT, 'no llm section', {})]
})

/** Section 4, LLM routes, and the list of models for administrators. What they do with the section has tests of its own. */
export const llmRows: readonly Row[] = [
  absent('GET /llm/models'),
  absent('GET /admin/llm/models'),
  absent('GET /llm/usage'),
  absent('GET /v1/models'),
  absent('GET /v1/models/:id', { params: { id: 'gpt-6.1-sol' } }),
  absent('POST /v1/chat/completions', { body: step }),
  absent('POST /v1/responses', { body: { model: 'gpt-6.1-sol', input: 'Hello' } }),
  absent('POST /v1/embeddings', { body: { model: 'gpt-6.1-sol', input: 'Hello' } }),
  absent('POST /v1/messages', { body: { ...step, max_tokens: 100 } }),
  absent('POST /v1/messages/count_tokens', { body: step }),
  absent('POST /llm/chat/step', { body: step }),
  absent('POST /llm/chat/stream', { body: { ...step, turnId: 'turn', stepIndex: 0 } }),
  {
    row: 'GET /admin/llm/usage',
    sample: () => ({}),
    cases: [
      works('a month in which nothing was used, also on a hub that serves no models now', {
        query: 'month=2024-02&by=model',
        check: ({ body }) =>
          assert.equal(body, {
            ...{ by: 'model', from: '2024-02-01', to: '2024-02-29', currency: 'USD', usage: [], unpriced: [] },
            total: { steps: 0, promptTokens: 0, completionTokens: 0, totalTokens: 0, cost: null },
            unloggedTokens: 0
          })
      }),
      ...(
        [
          ['month must be a UTC month such as 2026-01.', 'month=2026-13'],
          ['from must be a UTC day such as 2026-01-31.', 'from=2026-02-30'],
          ['to must not be before from.', 'from=2026-02-02&to=2026-02-01'],
          ['month stands for all of a month: leave out from and to.', 'month=2026-01&to=2026-02-01'],
          ['A report covers at most 731 days.', 'from=2020-01-01&to=2026-02-01']
        ] as const
      ).map(([error, query]) => refuses(400, error, query, { query }))
    ]
  }
]
