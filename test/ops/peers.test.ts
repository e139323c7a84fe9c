import * as assert from 'uvu/assert'
import { latestDone } from '../../src/ops/choresDone.js'
import { mergedMetrics } from '../../src/ops/metrics.js'
import { alone, followersOf } from '../../src/ops/peers.js'
import { type ReloadReport, togetherReport } from '../../src/reload.js'
import { suite } from '../support/suite.js'

const test = suite('processes that serve one hub')

test('metrics of several are one text, in which each metric is described once and its samples stand together', () => {
  const texts = [1, 2].map((worker) =>
    [
      `# HELP requests Requests.\n# TYPE requests counter\nrequests{route="/",worker="${worker}"} ${worker}`,
      `# HELP only_${worker} Of one.\n# TYPE only_${worker} gauge\nonly_${worker}{worker="${worker}"} 1`
    ].join('\n\n')
  )
  assert.is(
    mergedMetrics(texts.map((text) => `${text}\n`)),
    [
      '# HELP requests Requests.\n# TYPE requests counter\nrequests{route="/",worker="1"} 1\nrequests{route="/",worker="2"} 2',
      '# HELP only_1 Of one.\n# TYPE only_1 gauge\nonly_1{worker="1"} 1',
      '# HELP only_2 Of one.\n# TYPE only_2 gauge\nonly_2{worker="2"} 1\n'
    ].join('\n\n')
  )
  assert.is(mergedMetrics(['# HELP a A.\n']), '# HELP a A.\n', 'that of one process stays as it is')
})

test('a process alone answers its own questions', async () => {
  const peers = alone()
  assert.equal([peers.number, peers.count], [null, 1])
  assert.equal(await peers.ask('metrics'), [])
  peers.answer('metrics', async () => 'all of them')
  assert.equal(await peers.ask('metrics'), ['all of them'])
})

test('who follows the feed is counted over all of them, since the first', () => {
  const done = { checkpoint: null, verification: null }
  const standings = [
    { done, followers: [{ tenant: 'a', count: 2, oldest: 20 }] },
    {
      done,
      followers: [
        { tenant: 'a', count: 1, oldest: 10 },
        { tenant: 'b', count: 5, oldest: 5 }
      ]
    }
  ]
  assert.equal(followersOf({ id: 'a' }, standings), { count: 3, oldest: 10 })
  assert.equal(followersOf({ id: 'c' }, standings), { count: 0, oldest: null })
})

test('what was done last is what any of them has done last', () => {
  const earlier = { position: 1, at: '2026-01-01T00:00:00.000Z' }
  const later = { position: 2, at: '2026-01-02T00:00:00.000Z' }
  const all = [null, later, earlier].map((checkpoint) => ({ checkpoint, verification: null }))
  assert.equal(latestDone(all), { checkpoint: later, verification: null })
  assert.equal(latestDone([]), { checkpoint: null, verification: null })
})

test('a reload of several came to what it came to where it went best, for the others follow', () => {
  const whole: ReloadReport = { sections: [{ section: 'db', status: 'reloaded' }] }
  const failed: ReloadReport = { sections: [{ section: 'db', status: 'failed', error: 'no answer' }] }
  const fatal: ReloadReport = { sections: [], fatalError: 'no file' }
  assert.is(togetherReport([fatal, failed, whole]), whole)
  assert.is(togetherReport([failed, fatal]), failed)
  assert.is(togetherReport([fatal, fatal]), fatal)
  assert.throws(() => togetherReport([]), 'No process has told')
})

test.run()
