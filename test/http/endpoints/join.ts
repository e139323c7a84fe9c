import * as assert from 'uvu/assert'
import { type Endpoint, works } from '../endpoint.js'

const QUERY = 'url=https%3A%2F%2Fhub.example.com&name=Ada&role=user&exp=2099-01-01T00%3A00%3A00.000Z'

/** Section 4, Public: the page; what is on it has tests of its own. */
export const joinEndpoints: readonly Endpoint[] = [
  {
    row: 'GET /join',
    access: 'public',
    success: 200,
    refusals: [],
    answers: 'html',
    sample: () => ({ query: QUERY }),
    cases: [
      works('a link: a page that names who is invited', () => ({
        query: QUERY,
        check: ({ text }) => assert.match(text, 'Ada')
      })),
      works('half a link: a page all the same', () => ({ query: 'name=Ada' }))
    ]
  }
]
