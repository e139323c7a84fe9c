import { Agent } from 'node:http'
import { loadavg } from 'node:os'
import { type Benchmark, type BenchOptions, DRIVERS, type Driver } from './benchmark.js'
import { compare } from './http/compare.js'
import { fallen, type Ratios, ratiosOf, readRatios } from './http/ratios.js'
import { isSound, type Results, report } from './http/report.js'
import { type Row, rows, wireText } from './http/rows.js'
import { seed } from './http/seed.js'
import { chosenOf } from './options.js'
import { asker } from './support/ask.js'
import { type Child, startChild } from './support/child.js'
import { recordings } from './support/recordings.js'
import { defaultDriver, openSetting, type Setting } from './support/setting.js'

const FILES = {
  hub: new URL('./http/hub.js', import.meta.url),
  bare: new URL('./support/bare.js', import.meta.url)
}

/** So often a row is measured that seems to have become slow: other work on the machine can make it so once. */
const MEASURED_MAX = 3

export const http: Benchmark = {
  name: 'http',
  summary: 'requests to the hub beside the same requests to a bare server',
  async run(options) {
    chosenOf(rows, options.only)
    const before = options.check === undefined ? null : readRatios(options.check)
    const results: Results[] = []
    for (const driver of options.drivers ?? [await defaultDriver()])
      results.push(await ofDriver(driver, options.only, options))
    if (options.json) options.print(`${JSON.stringify(results, null, 2)}\n`)
    if (before) await requireRatios(before, ratiosOf(results), options)
  }
}

async function ofDriver(driver: Driver, only: readonly string[], options: BenchOptions): Promise<Results> {
  const setting = await openSetting(driver)
  try {
    const found = await measure(setting, chosenOf(rows, only), options)
    if (!options.json) options.print(report(found, options))
    if (!isSound(found)) throw new Error('Some requests were refused, so these numbers measure something else.')
    return found
  } finally {
    await setting.drop()
  }
}

/** Throws where a request takes far more of a processor than when the ratios were written down, each time it is measured. */
async function requireRatios(before: Ratios, now: Ratios, options: BenchOptions): Promise<void> {
  let low = fallen(now, before)
  for (let again = 1; low.length > 0 && again < MEASURED_MAX; again++) {
    options.progress(`measured again: ${low.map(({ driver, row }) => `${driver} ${row}`).join(', ')}`)
    const results: Results[] = []
    for (const driver of DRIVERS) {
      const rows = low.filter((one) => one.driver === driver).map(({ row }) => row)
      if (rows.length > 0) results.push(await ofDriver(driver, rows, options))
    }
    low = fallen(ratiosOf(results), before)
  }
  const told = low.map(({ driver, row, was, is }) => `${driver} ${row}: ${is} of the bare server, was ${was}`)
  if (told.length > 0)
    throw new Error(`Requests take over a third more of a processor than they did: ${told.join('; ')}.`)
}

async function measure(setting: Setting, chosen: readonly Row[], options: BenchOptions): Promise<Results> {
  const { driver, description, config } = setting
  const [load = 0] = loadavg()
  options.progress(`${driver}: setting up`)
  const seeded = await seed(config)
  const { secret } = seeded
  let number = 1_000_000
  const start = (name: 'hub' | 'bare', input: unknown): Promise<Child> =>
    startChild({ name: `${name}-${driver}`, file: FILES[name], input, ...options })
  const children: Child[] = []
  try {
    const hub = await start('hub', config)
    children.push(hub)
    const found = recordings()
    const agent = new Agent()
    const { ask } = asker(hub.port, agent, found.take)
    for (const row of chosen) await ask({ kind: row.name, secret, ...row.request(seeded, number++) })
    agent.destroy()
    const bare = await start('bare', found.all())
    children.push(bare)
    const measured: Results['rows'][number][] = []
    for (const row of chosen) {
      options.progress(`${driver}: ${row.name}`)
      const next = () => wireText(row.request(seeded, number++), secret, row.name)
      const { name, target } = row
      measured.push({ name, target, ...(await compare({ ...options, hub, bare, next })) })
    }
    return { driver, description, load, rows: measured, usage: await hub.usage() }
  } finally {
    await Promise.all(children.map((child) => child.stop()))
  }
}
