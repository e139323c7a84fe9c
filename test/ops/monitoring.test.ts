import { readFileSync } from 'node:fs'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { z } from 'zod'
import { MEASURES } from '../../src/ops/measures.js'
import { createMetrics } from '../../src/ops/metrics.js'
import { suite } from '../support/suite.js'

const test = suite('the dashboard and the alert rules')
const { names } = createMetrics(() => Promise.reject(new Error('not asked')))
const exported = new Set(names)
const FOLDER = new URL('../../../deploy/monitoring/', import.meta.url)
const METRIC = /\b(?:team_hub|nodejs|process)_[a-z0-9_]+/g

const dashboard = z.object({
  panels: z.array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })).min(1) })).min(10)
})
const rules = z.object({
  groups: z.array(
    z.object({
      rules: z.array(
        z.object({
          alert: z.string(),
          expr: z.string(),
          annotations: z.object({ summary: z.string(), action: z.string() })
        })
      )
    })
  )
})

const read = (name: string) => readFileSync(new URL(name, FOLDER), 'utf8')
const panels = dashboard.parse(JSON.parse(read('grafana-dashboard.json'))).panels
const alerts = rules.parse(parse(read('prometheus-alerts.yaml'))).groups.flatMap((group) => group.rules)

/** The metrics that an expression names: of a histogram, its series count as it. */
function metricsIn(expr: string): readonly string[] {
  return [...expr.matchAll(METRIC)].map(([name]) => {
    const base = name.replace(/_(bucket|sum|count)$/, '')
    return exported.has(name) ? name : base
  })
}

function assertExported(what: string, expr: string): void {
  const used = metricsIn(expr)
  assert.ok(used.length > 0, `${what} names no metric`)
  for (const name of used) assert.ok(exported.has(name), `${what} names ${name}, which no hub exports`)
}

test('every panel names metrics that the hub exports', () => {
  for (const { title, targets } of panels) for (const { expr } of targets) assertExported(title, expr)
})

test('every alert names metrics that the hub exports, and says what to do', () => {
  for (const { alert, expr, annotations } of alerts) {
    assertExported(alert, expr)
    assert.ok(annotations.action.length > 0)
  }
})

test('every metric of the hub’s own is on the dashboard', () => {
  const shown = new Set(panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => metricsIn(expr))))
  const missing = MEASURES.map(({ name }) => name).filter((name) => !shown.has(name))
  // How many fall out of the cache, how many pieces it holds, what writes bring and how often the search index could not
  // be brought forward are for those who look closer.
  const left = [
    ...['team_hub_log_queue_bytes', 'team_hub_search_failures_total'],
    ...['team_hub_cache_evictions_total', 'team_hub_cache_entries']
  ]
  assert.equal(missing, left)
})

test.run()
