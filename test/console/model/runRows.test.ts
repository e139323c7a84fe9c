import * as assert from 'uvu/assert'
import { isFailed, payloadText, rowsOfRun } from '../../../clients/console/src/model/runRows.js'
import { suite } from '../../support/suite.js'

const test = suite('requests of a run')

test('what the desktop sends of a request is told, with what is secret in its URL masked', () => {
  const response = { status: 404, statusText: 'Not Found', timeMs: 1200.4, body: '{}' }
  const one = { requestName: 'Refund', requestMethod: 'POST', requestUrl: 'https://h/r?api_key=k', error: 'No refund' }
  const results = [{ ...one, status: 'failed', testsPassed: 1, testsFailed: 2, response }]
  assert.equal(rowsOfRun({ results }), [
    {
      ...{ nth: 1, name: 'Refund', method: 'POST', url: 'https://h/r?api_key=••••••••', outcome: 'failed' },
      ...{ error: 'No refund', answer: '404 Not Found', took: '1,200 ms', tests: { passed: 1, failed: 2 } }
    }
  ])
  assert.not.match(payloadText({ results }), /api_key=k/)
})

test('what a client leaves out, or sends as something else, is left out', () => {
  const nothing = { name: null, method: null, url: null, outcome: null, error: null, answer: null, took: null }
  const odd = { requestName: 7, status: {}, response: 'none', testsPassed: '1', durationMs: Number.NaN }
  assert.equal(rowsOfRun({ results: [null, odd, 'text'] }), [
    { nth: 1, ...nothing, tests: null },
    { nth: 2, ...nothing, tests: null },
    { nth: 3, ...nothing, tests: null }
  ])
  assert.equal(rowsOfRun({ results: 'none' }), [])
})

test('a request failed where it says so, or where one of its tests did', () => {
  const rows = rowsOfRun({
    results: [{ status: 'failed' }, { status: 'passed', testsFailed: 1 }, { status: 'skipped' }]
  })
  assert.equal(rows.map(isFailed), [true, true, false])
})

test.run()
