import { type Endpoint, refuses, type Sample } from '../endpoint.js'

const ABSENT = 'LLM support is not configured on this Team Hub.'
const step = { model: 'gpt-4o', messages: [{ role: 'user', content: 'Hello' }] }

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
  absent('POST /llm/chat/stream', { body: { ...step, turnId: 'turn', stepIndex: 0 } })
]
