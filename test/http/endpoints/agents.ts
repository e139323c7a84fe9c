import * as assert from 'uvu/assert'
import { fields } from '../client.js'
import { type Endpoint, refuses, works } from '../endpoint.js'

const introduction = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'client', version: '1' } }
}

const ONLY_POST = 'Send MCP messages to this address with POST: it keeps no sessions and streams nothing.'
const nothing = {
  access: 'user',
  success: 405,
  refusals: [],
  // It depends on no record.
  matrix: { 'a user without access': 405 },
  sample: () => ({}),
  cases: [refuses(405, ONLY_POST, 'whatever is asked', () => ({}))]
} as const

/** The hub as an MCP server; what its tools do is in `test/agents/`. */
export const agentEndpoints: readonly Endpoint[] = [
  {
    row: 'POST /mcp',
    access: 'user',
    success: 200,
    refusals: [400, 403],
    matrix: { 'a user without access': 200 },
    sample: () => ({ body: introduction }),
    cases: [
      works('a client that says who it is', () => ({
        body: introduction,
        check: ({ body, headers }) => {
          const { id, result } = fields(body)
          assert.equal([id, fields(result).protocolVersion], [1, '2025-11-25'])
          assert.is(typeof headers['mcp-session-id'], 'string')
        }
      })),
      refuses(400, 'The request body must be a JSON object.', 'several messages at once', () => ({
        body: [introduction]
      })),
      refuses(
        400,
        'This request cannot be made repeatable. Send it without the Idempotency-Key header.',
        'an Idempotency-Key',
        () => ({ headers: { 'idempotency-key': 'k' }, body: introduction })
      ),
      refuses(403, 'Requests from pages of this origin are not taken.', 'a page of another origin', () => ({
        headers: { origin: 'https://evil.example' },
        body: introduction
      }))
    ]
  },
  { row: 'GET /mcp', ...nothing },
  { row: 'DELETE /mcp', ...nothing }
]
