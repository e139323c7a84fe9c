import * as assert from 'uvu/assert'
import { fields } from '../client.js'
import { type Endpoint, refuses, works } from '../endpoint.js'

/** The description of the interface and the page that shows it. What they say has tests of its own. */
export const openApiEndpoints: readonly Endpoint[] = [
  {
    row: 'GET /openapi.json',
    access: 'public',
    success: 200,
    refusals: [],
    sample: () => ({}),
    cases: [
      works('nobody asks: the description', () => ({
        check: ({ body, headers }) => {
          assert.is(fields(body).openapi, '3.1.0')
          assert.type(headers.etag, 'string')
        }
      }))
    ]
  },
  {
    row: 'GET /docs',
    access: 'public',
    success: 200,
    refusals: [],
    answers: 'html',
    sample: () => ({}),
    cases: [works('nobody asks: the page', () => ({ check: ({ text }) => assert.match(text, 'docs/reference.js') }))]
  },
  {
    row: 'GET /docs/:asset',
    access: 'public',
    success: 200,
    refusals: [404],
    answers: 'script',
    sample: () => ({ params: { asset: 'reference.js' } }),
    cases: [
      works('nobody asks: the file', () => ({
        params: { asset: 'reference.js' },
        check: ({ text }) => assert.match(text, 'openapi.json')
      })),
      refuses(404, 'File not found', 'a file that is none of the page', () => ({ params: { asset: 'package.json' } }))
    ]
  }
]
