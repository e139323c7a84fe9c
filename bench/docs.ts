import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { DocsIndex } from '../src/llm/docs/docsIndex.js'
import { DIMENSIONS } from '../src/llm/docs/readIndex.js'
import { testChunk, writeIndexFile } from '../test/llm/docs/indexFile.js'

const CHUNKS = 5000
/** What the numbers of all vectors have in common. */
const NEAR = 0.6
const QUERIES = 200
const LIMIT = 5

const never = new AbortController().signal
const print = (text: string): void => void process.stdout.write(`${text}\n`)

/**
 * Documentation search in a large index: how long it takes to load, how long searches take, and how long others had to wait
 * for the event loop. The number of chunks may be given.
 */
export async function docsBenchmark(args: readonly string[]): Promise<void> {
  const chunks = Number(args[0] ?? CHUNKS)
  const directory = await mkdtemp(join(tmpdir(), 'hub-bench-docs-'))
  const path = join(directory, 'index.json')
  try {
    const rows = Array.from({ length: chunks }, (_, row) => testChunk(row, { embedding: randomVector() }))
    await writeIndexFile(path, rows)
    print(`${chunks} chunks, ${Math.round((await stat(path)).size / 1e6)} MB, ${QUERIES} queries for ${LIMIT} hits`)
    await measure(
      path,
      Array.from({ length: QUERIES }, () => Float32Array.from(randomVector()))
    )
  } finally {
    await rm(directory, { recursive: true })
  }
}

/** Near the others, as what is found is near to what is looked for. */
function randomVector(): number[] {
  return Array.from({ length: DIMENSIONS }, () => NEAR + Math.random())
}

async function measure(path: string, queries: readonly Float32Array[]): Promise<void> {
  const index = await phase('load', () => DocsIndex.load(path, never))
  const searches = await phase('searches', () => searchAll(index, queries))
  await index.close()
  print(`each: ${times(searches)}`)
}

/** How long each search took, in milliseconds. */
async function searchAll(index: DocsIndex, queries: readonly Float32Array[]): Promise<readonly number[]> {
  const times: number[] = []
  for (const vector of queries) {
    const started = performance.now()
    await index.search({ vector, limit: LIMIT }, never)
    times.push(performance.now() - started)
  }
  return times
}

/** Runs one phase, and says how long it took and how long it kept the event loop at most. */
async function phase<T>(name: string, run: () => Promise<T>): Promise<T> {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  // An index that is being read does not keep a process.
  const awake = setInterval(() => undefined, 1000)
  delay.enable()
  const started = performance.now()
  const result = await run()
  const took_ms = performance.now() - started
  delay.disable()
  clearInterval(awake)
  print(`${name}: ${Math.round(took_ms)} ms, event loop blocked for at most ${(delay.max / 1e6).toFixed(1)} ms`)
  return result
}

function times(searches: readonly number[]): string {
  const sorted = searches.toSorted((a, b) => a - b)
  const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(2)
  return `p50 ${at(0.5)} ms, p95 ${at(0.95)} ms`
}
