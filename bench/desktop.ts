import { Agent } from 'node:http'
import type { Benchmark, BenchOptions } from './benchmark.js'
import { type DesktopSeed, seedDesktop } from './desktop/seed.js'
import { type Workload, workloads } from './desktop/workloads.js'
import { chosenOf } from './options.js'
import { asker } from './support/ask.js'
import { type Child, startChild } from './support/child.js'
import { recordings } from './support/recordings.js'
import { onEachSetting, type Setting } from './support/setting.js'
import { table } from './support/table.js'
import { within } from './support/times.js'

/** What people do at a desktop client, beside a bare server that gives the same answers. */
export const desktopBenchmark: Benchmark = {
  name: 'desktop',
  summary: 'what a desktop client does: starts, imports, drags; many at once; followers',
  async run(options) {
    const chosen = chosenOf(workloads, options.only)
    await onEachSetting(options, async (setting) => {
      options.progress(`${setting.driver}: setting up`)
      const seed = await seedDesktop(setting.config)
      options.print(`${setting.description}\n\n${table(await measured(setting, seed, chosen, options))}\n`)
    })
  }
}

async function measured(setting: Setting, seed: DesktopSeed, chosen: readonly Workload[], options: BenchOptions) {
  const children: Child[] = []
  const start = async (name: 'hub' | 'bare', input: unknown) => {
    const file = new URL(name === 'hub' ? './http/hub.js' : './support/bare.js', import.meta.url)
    const child = await startChild({ name: `${name}-desktop`, file, input, ...options })
    children.push(child)
    return child
  }
  try {
    const hub = await start('hub', setting.config)
    const rows = [['', 'requests', 'hub ms', 'p99 ms', 'cpu us', 'bare ms', 'cpu us', 'ratio']]
    for (const workload of chosen) {
      options.progress(workload.name)
      const found = recordings()
      // Once to learn the answers, which also warms the hub.
      await once(workload, hub, seed, options, found.take)
      const bare = await start('bare', found.all())
      const sides = { hub: [] as Run[], bare: [] as Run[] }
      for (let round = 0; round < options.rounds; round++) {
        sides.bare.push(await once(workload, bare, seed, options))
        sides.hub.push(await once(workload, hub, seed, options))
      }
      await bare.stop()
      rows.push(line(workload.name, sides.hub, sides.bare))
    }
    return rows
  } finally {
    for (const child of children) await child.stop()
  }
}

interface Run {
  readonly requests: number
  readonly cpu_us: number
  /** How long each of the things took that the workload does, such as starts. */
  readonly times_ms: readonly number[]
}

async function once(
  workload: Workload,
  child: Child,
  seed: DesktopSeed,
  { scale }: BenchOptions,
  take?: Parameters<typeof asker>[2]
): Promise<Run> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const before = await child.usage()
  const ask = asker(child.port, agent, take)
  const times_ms = await workload.run(ask.ask, seed, { scale, port: child.port })
  const { cpu_us } = await child.usage()
  agent.destroy()
  return { requests: ask.count(), cpu_us: cpu_us - before.cpu_us, times_ms }
}

function line(name: string, hub: readonly Run[], bare: readonly Run[]): string[] {
  const requests = hub[0]?.requests ?? 0
  const [ofHub, ofBare] = [at(hub, 0.5), at(bare, 0.5)]
  return [
    ...[name, String(requests), ofHub.toFixed(1), at(hub, 0.99).toFixed(1), cpu(hub)],
    ...[ofBare.toFixed(1), cpu(bare), (ofBare / ofHub).toFixed(2)]
  ]
}

function at(runs: readonly Run[], part: number): number {
  return within(
    runs.flatMap(({ times_ms }) => times_ms),
    part
  )
}

function cpu(runs: readonly Run[]): string {
  const [spent, requests] = [sum(runs, 'cpu_us'), sum(runs, 'requests')]
  return (spent / requests).toFixed(0)
}

function sum(runs: readonly Run[], what: 'cpu_us' | 'requests'): number {
  return runs.reduce((all, run) => all + run[what], 0)
}
