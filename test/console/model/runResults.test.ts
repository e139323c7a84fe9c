import * as assert from 'uvu/assert'
import { outcomeOf, summaryOf, whatRan } from '../../../clients/console/src/model/runResults.js'
import { suite } from '../../support/suite.js'

const test = suite('results of runs in words')
const run = { kind: 'collection-run-results', collectionName: 'Payments', requestName: null } as const
const of = (passed: number, failed: number, skipped: number) => ({ ...run, summary: { passed, failed, skipped } })

test('what failed counts most, and what says nothing is no success', () => {
  assert.equal(outcomeOf(of(6, 1, 0)), { tone: 'bad', text: '1 failed' })
  assert.equal(outcomeOf(of(6, 0, 1)), { tone: 'good', text: 'passed' })
  assert.equal(outcomeOf(of(0, 0, 2)), { tone: 'plain', text: 'skipped' })
  assert.equal(outcomeOf(of(0, 0, 0)), { tone: 'plain', text: 'no outcome' })
  assert.is(summaryOf(of(1200, 1, 2)), '1,200 passed, 1 failed, 2 skipped')
  assert.is(summaryOf(of(0, 0, 0)), 'The results do not say how they ended.')
})

test('what ran is named as far as the client has told it', () => {
  const { kind } = run
  const request = 'request-run-results' as const
  const summary = { passed: 1, failed: 0, skipped: 0 }
  const told = [
    { kind, collectionName: 'Payments', requestName: null },
    { kind, collectionName: null, requestName: null },
    { kind: request, collectionName: 'Payments', requestName: 'Refund' },
    { kind: request, collectionName: null, requestName: null }
  ].map((one) => whatRan({ ...one, summary }))
  assert.equal(told, ['the collection Payments', 'a collection', 'the request Refund of Payments', 'a request'])
})

test.run()
