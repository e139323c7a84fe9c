import * as assert from 'uvu/assert'
import { type Case, type Endpoint, refuses, works } from '../endpoint.js'

const leads: Case = works('nobody asks: where the console is, from here', () => ({
  check: ({ headers }) => assert.is(headers.location, 'console/')
}))

/** The console, of which there is a stand-in. What it is served with has tests of its own. */
export const consoleEndpoints: readonly Endpoint[] = [
  { row: 'GET /', access: 'public', success: 302, refusals: [], sample: () => ({}), cases: [leads] },
  { row: 'GET /console', access: 'public', success: 302, refusals: [], sample: () => ({}), cases: [leads] },
  {
    row: 'GET /console/',
    access: 'public',
    success: 200,
    refusals: [],
    answers: 'html',
    sample: () => ({}),
    cases: [works('nobody asks: the page', () => ({ check: ({ text }) => assert.match(text, './assets/index-') }))]
  },
  {
    row: 'GET /console/assets/:file',
    access: 'public',
    success: 200,
    refusals: [404],
    answers: 'script',
    sample: () => ({ params: { file: 'index-Stand1nB.js' } }),
    cases: [
      works('nobody asks: the file', () => ({
        params: { file: 'index-Stand1nB.js' },
        check: ({ text }) => assert.match(text, 'hub.token')
      })),
      refuses(404, 'File not found', 'a file that is none of the page', () => ({ params: { file: 'package.json' } }))
    ]
  }
]
