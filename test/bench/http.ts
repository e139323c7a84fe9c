import { loadavg } from 'node:os'
import type { Benchmark, BenchOptions } from './benchmark.js'
import { compare } from './http/compare.js'
import { record } from './http/record.js'
import { isSound, type Results, report } from './http/report.js'
import { type Row, rows, wireText } from './http/rows.js'
import { seed } from './http/seed.js'
import { UsageError } from './options.js'
import { type Child, startChild } from './support/child.js'
import { defaultDriver, openSetting, type Setting } from './support/setting.js'

export const http: Benchmark = {
  name: 'http',
  summary: 'requests to the hub beside the same requests to a bare server',
  async run(options) {
    const chosen = rowsOf(options.only)
    const results: Results[] = []
    for (const driver of options.drivers ?? [await defaultDriver()]) {
      const setting = await openSetting(driver)
      try {
        const found = await measure(setting, chosen, options)
        results.push(found)
        if (!options.json) options.print(report(found, options))
      } finally {
        await setting.drop()
      }
    }
    if (options.json) options.print(`${JSON.stringify(results, null, 2)}\n`)
    if (!results.every(isSound)) throw new Error('Some requests were refused, so these numbers measure something else.')
  }
}

function rowsOf(only: readonly string[]): readonly Row[] {
  const unknown = only.filter((name) => !rows.some((row) => row.name === name))
  if (unknown.length > 0) {
    throw new UsageError(`No row "${unknown.join('", "')}"; there are ${rows.map(({ name }) => name).join(', ')}.`)
  }
  return rows.filter(({ name }) => only.length === 0 || only.includes(name))
}

async function measure(setting: Setting, chosen: readonly Row[], options: BenchOptions): Promise<Results> {
  const { driver, description, config } = setting
  const [load = 0] = loadavg()
  options.progress(`${driver}: setting up`)
  const seeded = await seed(config)
  const { secret } = seeded
  let number = 1_000_000
  const start = (name: 'hub' | 'bare', input: unknown): Promise<Child> =>
    startChild({ name: `${name}-${driver}`, file: new URL(`./http/${name}.js`, import.meta.url), input, ...options })
  const children: Child[] = []
  try {
    const hub = await start('hub', config)
    children.push(hub)
    const recordings = []
    for (const row of chosen) recordings.push(await record(row, row.request(seeded, number++), hub.port, secret))
    const bare = await start('bare', recordings)
    children.push(bare)
    const found: Results['rows'][number][] = []
    for (const row of chosen) {
      options.progress(`${driver}: ${row.name}`)
      const next = () => wireText(row.request(seeded, number++), secret)
      const { name, target } = row
      found.push({ name, target, ...(await compare({ ...options, hub, bare, next })) })
    }
    return { driver, description, load, rows: found, usage: await hub.usage() }
  } finally {
    await Promise.all(children.map((child) => child.stop()))
  }
}
