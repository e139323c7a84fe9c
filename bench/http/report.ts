import { availableParallelism } from 'node:os'
import type { BenchOptions, Driver } from '../benchmark.js'
import type { Usage } from '../support/child.js'
import { table } from '../support/table.js'
import type { Comparison, Side } from './compare.js'

/** What the benchmark found out about one driver. */
export interface Results {
  readonly driver: Driver
  readonly description: string
  /** The load average of the machine before the first row: what others took is missing from every number. */
  readonly load: number
  readonly rows: readonly (Comparison & { readonly name: string; readonly target: number })[]
  /** Of the hub's process, after the last row. */
  readonly usage: Usage
}

const MEMORY_TARGET_MB = 150

/** The results as a table for people. */
export function report({ description, load, rows, usage }: Results, options: BenchOptions): string {
  const { connections, rounds, seconds } = options
  const memory = megabytes(usage.rss_bytes)
  const more = ['p50 ms', 'p99 ms', 'cpu us']
  const lines = rows.map(({ name, hub, bare, ratio, range, target }) => [
    name,
    ...cells(hub),
    ...cells(bare),
    ratio.toFixed(3),
    range.map((one) => one.toFixed(2)).join('-'),
    target.toFixed(2),
    ratio < target ? 'short' : ''
  ])
  return [
    `${description}; ${connections} connections, ${rounds} rounds of ${seconds} s; `,
    `${availableParallelism()} processors, load ${load.toFixed(1)} before, Node ${process.version}\n\n`,
    table([['', 'hub req/s', ...more, 'bare req/s', ...more, 'ratio', 'range', 'target'], ...lines]),
    `\nhub memory ${memory} MB, target under ${MEMORY_TARGET_MB} MB${memory < MEMORY_TARGET_MB ? '' : ': short'} `,
    `(peak ${megabytes(usage.peak_rss_bytes)} MB, heap in use ${megabytes(usage.heap_bytes)} MB)\n`,
    `answers other than 2xx: ${refusalsOf(rows)}\n\n`
  ].join('')
}

function cells({ requestsPerSecond, p50_ms, p99_ms, cpu_us }: Side): readonly string[] {
  return [requestsPerSecond.toFixed(0), p50_ms.toFixed(2), p99_ms.toFixed(2), cpu_us.toFixed(0)]
}

/** How many answers of either side were not 2xx, and which; `0` where all were. */
function refusalsOf(rows: Results['rows']): string {
  const found = rows.flatMap(({ name, hub, bare }) =>
    Object.entries({ hub, bare }).flatMap(([side, { refusals }]) =>
      Object.entries(refusals).map(([status, count]) => `${name} ${side} ${status}: ${count}`)
    )
  )
  return found.length === 0 ? '0' : found.join(', ')
}

/** True when every request of every row did what it was sent for. */
export function isSound({ rows }: Results): boolean {
  return refusalsOf(rows) === '0'
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1024 / 1024)
}
