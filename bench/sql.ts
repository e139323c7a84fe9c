import type { Benchmark, BenchOptions } from './benchmark.js'
import { type Row, rows, wireText } from './http/rows.js'
import { type Seed, seed } from './http/seed.js'
import { openPlain, type Plain } from './sql/plain.js'
import { startChild } from './support/child.js'
import { drive } from './support/load.js'
import { openSetting } from './support/setting.js'
import { table } from './support/table.js'
import { median } from './support/times.js'

const CONNECTIONS = 64
const PLAIN = [1, 32] as const

/**
 * Writes a second of the hub at 64 connections beside those of plain SQL: the same rows, one transaction each, without a chain, a
 * check or a head that all of them move; and a Postgres that does nothing but commit.
 */
export const sqlBenchmark: Benchmark = {
  name: 'sql',
  summary: 'writes a second beside plain SQL of the same rows, and beside bare commits; on Postgres',
  async run(options) {
    const setting = await openSetting('postgres')
    try {
      options.progress('setting up')
      const seeded = await seed(setting.config)
      const file = new URL('./http/hub.js', import.meta.url)
      const hub = await startChild({ name: 'hub-sql', file, input: setting.config, ...options })
      const plain = await openPlain(setting.config.db, Math.max(...PLAIN))
      try {
        const found = await measured(hub.port, plain, seeded, options)
        options.print(`${setting.description}, ${options.rounds} rounds of ${options.seconds} s\n\n${table(found)}\n`)
      } finally {
        await plain.close()
        await hub.stop()
      }
    } finally {
      await setting.drop()
    }
  }
}

async function measured(port: number, plain: Plain, seeded: Seed, { rounds, seconds }: BenchOptions) {
  const head = [
    '',
    'hub, 64',
    ...PLAIN.map((count) => `rows, ${count}`),
    ...PLAIN.map((count) => `commits, ${count}`),
    'of rows, 32'
  ]
  const lines: string[][] = []
  for (const name of ['put', 'post'] as const) {
    const row = rows.find((one) => one.name === name)
    if (!row) throw new Error(`There is no row ${name}.`)
    const sides = [
      () => ofHub(port, row, seeded, seconds),
      ...PLAIN.map((count) => () => plain.perSecond(name, count, seconds)),
      ...PLAIN.map((count) => () => plain.perSecond('commit', count, seconds))
    ]
    const found = sides.map((): number[] => [])
    for (let round = 0; round < rounds; round++) for (const [i, side] of sides.entries()) found[i]?.push(await side())
    const medians = found.map(median)
    const [hub = 0, , many = 0] = medians
    lines.push([name, ...medians.map((one) => one.toFixed(0)), (hub / many).toFixed(2)])
  }
  return [head, ...lines]
}

let number = 1_000_000

async function ofHub(port: number, row: Row, seeded: Seed, seconds: number): Promise<number> {
  const next = () => wireText(row.request(seeded, number++), seeded.secret)
  const sample = await drive({ port, connections: CONNECTIONS, seconds, next })
  if (sample.refusals.size > 0) throw new Error('Some requests were refused, so these numbers measure something else.')
  return sample.requests / sample.seconds
}
