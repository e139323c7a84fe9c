import * as assert from 'uvu/assert'
import { type Endpoint, works } from '../endpoint.js'

/** Section 4, Plugin sources. */
export const pluginEndpoints: readonly Endpoint[] = [
  {
    row: 'GET /plugins/sources',
    access: 'any',
    success: 200,
    refusals: [],
    sample: () => ({}),
    cases: [
      works('no plugins section: both lists are empty', () => ({
        check: ({ body }) => assert.equal(body, { catalogs: [], trusted: [] })
      }))
    ]
  }
]
