import * as assert from 'uvu/assert'
import { fallen, ratiosOf, readRatios } from '../../bench/http/ratios.js'
import { suite } from '../support/suite.js'

const test = suite('ratios of a benchmark')

const side = (cpu_us: number) => ({
  ...{ requestsPerSecond: 1, p50_ms: 1, p99_ms: 1, cpu_us, requests: 1, refusals: {} }
})
const row = (name: string, hub: number, bare: number) => ({
  ...{ name, hub: side(hub), bare: side(bare), ratio: 1, range: [1, 1] as const, target: 1 }
})
const results = [
  {
    ...({ driver: 'sqlite', description: '', load: 0 } as const),
    rows: [row('session', 100, 25), row('put', 400, 20)],
    usage: { cpu_us: 1, rss_bytes: 1, peak_rss_bytes: 1, heap_bytes: 1 }
  }
]

test('a ratio is the bare server’s processor time for a request as a share of the hub’s', () => {
  assert.equal(ratiosOf(results), { sqlite: { session: 0.25, put: 0.05 } })
})

test('a row has fallen when it has lost more than a third, and not when nothing is written down of it', () => {
  const now = ratiosOf(results)
  assert.equal(fallen(now, { sqlite: { session: 0.37, put: 0.07 } }), [])
  assert.equal(fallen(now, { sqlite: { session: 0.38, put: 0.02 } }), [
    { driver: 'sqlite', row: 'session', was: 0.38, is: 0.25 }
  ])
  assert.equal(fallen(now, { postgres: { session: 0.9 } }), [])
})

test('the committed ratios are of every row and every driver', () => {
  const { sqlite = {}, postgres = {} } = readRatios('bench/ratios.json')
  const names = ['session', 'list-collections', 'list-requests', 'put', 'post', 'move']
  assert.equal([Object.keys(sqlite), Object.keys(postgres)], [names, names])
})

test.run()
