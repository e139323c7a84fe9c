import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { DocsIndex, type DocsQuery, type Hit } from '../../../src/llm/docs/docsIndex.js'
import { DIMENSIONS } from '../../../src/llm/docs/readIndex.js'
import { suite } from '../../support/suite.js'
import { clusteredVectors, testChunk, writeIndexFile } from './indexFile.js'

const test = suite('a documentation index in memory')

const never = new AbortController().signal
const CHUNKS = 90
const vectorAt = clusteredVectors(DIMENSIONS, 3)
let directory = ''
let path = ''
let indexes: DocsIndex[] = []

test.before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'hub-docs-'))
  path = join(directory, 'index.json')
  await writeIndexFile(path, CHUNKS, (row) => {
    // Three decimals keep the file small.
    const embedding = Array.from(vectorAt(row), (value) => Math.round(value * 1000) / 1000)
    return testChunk(row, { embedding, source: row % 30 === 0 ? 'sdk' : 'site' })
  })
})

test.after.each(async () => {
  await Promise.all(indexes.map((index) => index.close()))
  indexes = []
})

test.after(() => rm(directory, { recursive: true }))

async function hitsOf(index: DocsIndex, query: DocsQuery): Promise<readonly Hit[]> {
  return JSON.parse(await index.search(query, never))
}

async function load(): Promise<DocsIndex> {
  const index = await DocsIndex.load(path, never)
  indexes.push(index)
  return index
}

test('what can be found is counted', async () => {
  assert.is(await (await load()).size, CHUNKS)
})

test('a search finds what lies nearest, best first, also of a source that has few chunks', async () => {
  const index = await load()
  const exact = (query: Float32Array, row: number) => {
    const chunk = vectorAt(row).map((value) => Math.round(value * 1000) / 1000)
    const product = (one: Float32Array, other: Float32Array) =>
      one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0)
    return product(query, chunk) / Math.sqrt(product(query, query) * product(chunk, chunk))
  }
  for (let query = 0; query < 12; query++) {
    const vector = vectorAt(1_000_000 + query)
    for (const source of [undefined, 'site', 'sdk'] as const) {
      const rows = [...Array(CHUNKS).keys()]
        .filter((row) => source === undefined || source === (row % 30 === 0 ? 'sdk' : 'site'))
        .map((row) => ({ row, score: exact(vector, row) }))
        .filter(({ score }) => score >= 0.5)
        .toSorted((one, other) => other.score - one.score)
      const hits = await hitsOf(index, { vector, limit: 5, source })
      assert.equal(
        hits.map(({ path }) => path),
        rows.slice(0, 5).map(({ row }) => `docs/page-${row}.md`)
      )
      for (const [at, { score }] of hits.entries()) assert.ok(Math.abs(score - (rows[at]?.score ?? 0)) < 1e-4)
    }
  }
})

test('searches that are under way when the index is closed come to their end', async () => {
  const index = await load()
  const searches = Array.from({ length: 5 }, (_, query) => hitsOf(index, { vector: vectorAt(query), limit: 5 }))
  await index.close()
  for (const hits of await Promise.all(searches)) assert.is(hits.length, 5)
})

test('an index that is closed cannot be searched', async () => {
  const index = await load()
  assert.is(index.hasEnded, false)
  await index.close()
  assert.is(index.hasEnded, true)
  const failure = await index.search({ vector: vectorAt(0), limit: 3 }, never).catch((error: Error) => error.message)
  assert.is(failure, 'The index is closed')
})

test('a process that ends while the index is searched ends as it was told to', async () => {
  const script = `import(process.argv[1]).then(async ({ DocsIndex }) => {
    const { signal } = new AbortController()
    const vector = new Float32Array(1536).fill(1)
    const index = await DocsIndex.load(process.argv[2], signal)
    for (let i = 0; i < 500; i++) void index.search({ vector, limit: 5 }, AbortSignal.any([signal]))
    setTimeout(() => process.exit(7), 20)
  })`
  const module = new URL('../../../src/llm/docs/docsIndex.js', import.meta.url).href
  const awake = `setInterval(() => {}, 1000); ${script}`
  const child = spawn(process.execPath, ['--eval', awake, module, path], { stdio: 'inherit' })
  const [code, killedBy] = await once(child, 'exit')
  assert.equal([code, killedBy], [7, null])
})

test('a search that is aborted rejects', async () => {
  const index = await load()
  const failure = await index.search({ vector: vectorAt(0), limit: 3 }, AbortSignal.abort(new Error('gone'))).then(
    () => null,
    (error: Error) => error.message
  )
  assert.is(failure, 'gone')
})

test.run()
