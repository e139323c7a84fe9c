import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { DocsIndex } from '../src/llm/docs/docsIndex.js'
import { DIMENSIONS } from '../src/llm/docs/readIndex.js'
import { testChunk, writeIndexFile } from '../test/llm/docs/indexFile.js'
import type { Benchmark, BenchOptions } from './benchmark.js'
import { timed, within } from './support/times.js'

const CHUNKS = 5000
/** What the numbers of all vectors have in common. */
const NEAR = 0.6
const QUERIES = 200
const LIMIT = 5

const never = new AbortController().signal

/** Search in a large index: how long it takes to load, how long searches take, and how long others had to wait for the event loop. */
export const docsBenchmark: Benchmark = {
  name: 'docs',
  summary: 'documentation search',
  async run({ print }) {
    const directory = await mkdtemp(join(tmpdir(), 'hub-bench-docs-'))
    const path = join(directory, 'index.json')
    try {
      const rows = Array.from({ length: CHUNKS }, (_, row) => testChunk(row, { embedding: randomVector() }))
      await writeIndexFile(path, rows)
      const size_mb = Math.round((await stat(path)).size / 1e6)
      print(`${CHUNKS} chunks, ${size_mb} MB, ${QUERIES} queries for ${LIMIT} hits\n`)
      await measure(path, print)
    } finally {
      await rm(directory, { recursive: true })
    }
  }
}

/** Near the others, as what is found is near to what is looked for. */
function randomVector(): number[] {
  return Array.from({ length: DIMENSIONS }, () => NEAR + Math.random())
}

async function measure(path: string, print: BenchOptions['print']): Promise<void> {
  const index = await phase('load', print, () => DocsIndex.load(path, never))
  const times: number[] = []
  await phase('searches', print, async () => {
    for (let i = 0; i < QUERIES; i++) {
      const vector = Float32Array.from(randomVector())
      times.push(await timed(() => index.search({ vector, limit: LIMIT }, never)))
    }
  })
  await index.close()
  print(`each: p50 ${within(times, 0.5).toFixed(2)} ms, p95 ${within(times, 0.95).toFixed(2)} ms\n`)
}

/** Runs one phase, and says how long it took and how long it kept the event loop at most. */
async function phase<T>(name: string, print: BenchOptions['print'], run: () => Promise<T>): Promise<T> {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  // An index that is being read does not keep a process.
  const awake = setInterval(() => undefined, 1000)
  delay.enable()
  const started = performance.now()
  const result = await run()
  const took_ms = performance.now() - started
  delay.disable()
  clearInterval(awake)
  print(`${name}: ${Math.round(took_ms)} ms, event loop blocked for at most ${(delay.max / 1e6).toFixed(1)} ms\n`)
  return result
}
