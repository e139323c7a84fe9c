import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { migrateDatabase } from '../src/app/start.js'
import { parseConfig } from '../src/config/load.js'
import type { Benchmark, BenchOptions } from './benchmark.js'
import { onEachDriver } from './support/places.js'
import { table } from './support/table.js'
import { within } from './support/times.js'
import type { Done, Told } from './writers/writer.js'

const PROCESSES = [1, 2, 3] as const
const WARM_UP_S = 3
const FILE = new URL('./writers/writer.js', import.meta.url)

/** Processes that write to one log at the same time, beside one of them alone: together, and each. */
export const writersBenchmark: Benchmark = {
  name: 'writers',
  summary: 'one, two and three processes that write to one log at the same time',
  async run(options) {
    await onEachDriver(options, async ({ db, redis }, { name }) => {
      const text = JSON.stringify({ server: { host: '127.0.0.1', port: 1 }, db, redis })
      await migrateDatabase(parseConfig(text, 'server.yaml', process.cwd(), {}).config)
      const children: ChildProcess[] = []
      try {
        for (const _ of PROCESSES) children.push(await writer(text))
        options.print(
          `${name}: ${options.rounds} rounds of ${options.seconds} s\n${table(await rows(children, options))}\n`
        )
      } finally {
        for (const child of children) child.disconnect()
        await Promise.all(children.map((child) => child.exitCode ?? once(child, 'exit')))
      }
    })
  }
}

async function writer(config: string): Promise<ChildProcess> {
  const child = fork(FILE, [config], { serialization: 'advanced' })
  await answer(child)
  return child
}

async function rows(children: readonly ChildProcess[], { rounds, seconds }: BenchOptions) {
  const found = PROCESSES.map((): (readonly Done[])[] => [])
  // The engine compiles what has run often: who has not written yet would be measured as slow.
  for (const child of children) await together([child], WARM_UP_S)
  // In turns, so that what else the machine does meets all alike; each is the one that writes alone once.
  for (let round = 0; round < rounds; round++)
    for (const [i, count] of PROCESSES.entries()) {
      const from = round % children.length
      found[i]?.push(await together([...children, ...children].slice(from, from + count), seconds))
    }
  const alone = perSecond(found[0] ?? [], seconds)
  const head = ['processes', 'writes/s', 'of one', 'most/least', 'p50 ms', 'p99 ms', 'cpu us', 'conflicts']
  return [head, ...found.map((runs, i) => line(PROCESSES[i] ?? 0, runs, alone, seconds))]
}

function line(count: number, runs: readonly (readonly Done[])[], alone: number, seconds: number): readonly string[] {
  const all = runs.flat()
  const times = all.flatMap(({ times_ms }) => times_ms)
  const unfair = runs.map(
    (run) => Math.max(...run.map(({ writes }) => writes)) / Math.min(...run.map(({ writes }) => writes))
  )
  return [
    String(count),
    perSecond(runs, seconds).toFixed(0),
    (perSecond(runs, seconds) / alone).toFixed(2),
    Math.max(...unfair).toFixed(2),
    within(times, 0.5).toFixed(1),
    within(times, 0.99).toFixed(1),
    (all.reduce((sum, { cpu_us }) => sum + cpu_us, 0) / times.length).toFixed(0),
    String(all.reduce((sum, { conflicts }) => sum + conflicts, 0))
  ]
}

function perSecond(runs: readonly (readonly Done[])[], seconds: number): number {
  return runs.flat().reduce((sum, { writes }) => sum + writes, 0) / runs.length / seconds
}

function together(children: readonly ChildProcess[], seconds: number): Promise<readonly Done[]> {
  return Promise.all(
    children.map(async (child) => {
      const told: Told = { seconds }
      child.send(told)
      // The other side of this is `writer.ts`, which answers each time with what it did.
      return (await answer(child)) as Done
    })
  )
}

async function answer(child: ChildProcess): Promise<unknown> {
  const over = new AbortController()
  const ended = once(child, 'exit', { signal: over.signal }).then(([code, by]) => {
    throw new Error(`A process that writes ended with ${code ?? by}.`)
  })
  try {
    const [message] = await Promise.race([once(child, 'message', { signal: over.signal }), ended])
    return message
  } finally {
    over.abort()
    ended.catch(() => {})
  }
}
