import * as assert from 'uvu/assert'
import { type Check, duration, sectionsIn, verdict, worstFirst } from '../../../clients/console/src/model/health.js'
import { suite } from '../../support/suite.js'

const test = suite('the health of a hub in words')

const check = (name: string, status: Check['status']): Check => ({
  name,
  status,
  text: '',
  advice: null,
  subject: null
})
const checks = [check('db', 'ok'), check('disk', 'warning'), check('log', 'failed'), check('search', 'warning')]
const names = (all: readonly Check[]) => all.map(({ name }) => name)

test('what is wrong stands first, and a verification that failed before all', () => {
  assert.equal(names(worstFirst(checks, null)), ['log', 'disk', 'search', 'db'])
  assert.equal(names(worstFirst(checks, { status: 'ok', text: '' })), ['log', 'disk', 'search', 'db'])
  const failed = { status: 'failed', text: 'Entry 7 was changed.' } as const
  assert.equal(names(worstFirst(checks, failed)), ['verification', 'log', 'disk', 'search', 'db'])
})

test('all of it is said in a sentence that says whether there is something to do', () => {
  assert.equal(verdict(checks), {
    status: 'failed',
    text: '1 check has failed, and 2 checks warn. What to do about it stands below.'
  })
  assert.equal(verdict([check('disk', 'warning')]), {
    status: 'warning',
    text: '1 check warns. What to do about it stands below.'
  })
  assert.equal(verdict([check('db', 'ok')]), { status: 'ok', text: 'All is well, and there is nothing to do.' })
})

test('how long something takes is told in its two largest units', () => {
  assert.equal([0, 1, 60, 61, 3600, 90_061, 172_800].map(duration), [
    'less than a second',
    '1 second',
    '1 minute',
    '1 minute 1 second',
    '1 hour',
    '1 day 1 hour',
    '2 days'
  ])
})

test('the sections of a reload are read from any answer, and from one that tells of none', () => {
  const sections = [{ section: 'db', status: 'failed', error: 'no such host' }, { section: 1 }, null]
  assert.equal(sectionsIn({ sections }), [{ section: 'db', status: 'failed', error: 'no such host' }])
  for (const answer of [null, 'text', {}, { sections: 'db' }]) assert.equal(sectionsIn(answer), [])
})

test.run()
