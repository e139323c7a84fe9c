import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { DIMENSIONS } from '../../../src/llm/docs/chunkTable.js'
import { DocsIndex, type DocsIndexOptions } from '../../../src/llm/docs/docsIndex.js'
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

async function load(options: DocsIndexOptions = {}): Promise<DocsIndex> {
  const index = await DocsIndex.load(path, never, options)
  indexes.push(index)
  return index
}

test('a small index needs no graph', async () => {
  const index = await load()
  assert.is(index.size, CHUNKS)
  assert.is(await index.graph, false)
})

test('searches are the same with a graph and without, also when a source has fewer chunks than are asked for', async () => {
  const exact = await load()
  const approximate = await load({ graphFrom: CHUNKS })
  assert.is(await approximate.graph, true)
  for (let query = 0; query < 12; query++) {
    const vector = vectorAt(1_000_000 + query)
    for (const source of [undefined, 'site', 'sdk'] as const) {
      const wanted = await exact.search({ vector, limit: 5, source }, never)
      assert.equal(await approximate.search({ vector, limit: 5, source }, never), wanted)
    }
  }
})

test('one search more than there is a graph for is exact', async () => {
  const index = await load({ graphFrom: CHUNKS + 1 })
  assert.is(await index.graph, false)
})

test('searches that are under way when the index is closed come to their end', async () => {
  const index = await load({ graphFrom: 1 })
  assert.is(await index.graph, true)
  const searches = Array.from({ length: 5 }, (_, query) => index.search({ vector: vectorAt(query), limit: 5 }, never))
  await index.close()
  for (const hits of await Promise.all(searches)) assert.is(hits.length, 5)
})

test('an index can be closed while its graph is being built', async () => {
  const index = await load({ graphFrom: 1 })
  const searching = index.search({ vector: vectorAt(0), limit: 3 }, never)
  await index.close()
  assert.is(await index.graph, false)
  assert.is((await searching).length, 3)
})

test('an index that is closed cannot be searched', async () => {
  const index = await load()
  assert.is(index.hasEnded, false)
  await index.close()
  assert.is(index.hasEnded, true)
  const failure = await index.search({ vector: vectorAt(0), limit: 3 }, never).catch((error: Error) => error.message)
  assert.is(failure, 'The index is closed')
})

for (const [when, wait] of [
  ['its graph is being built', ''],
  [
    'it is searched',
    'await index.graph; for (let i = 0; i < 500; i++) void index.search({ vector, limit: 5 }, AbortSignal.any([signal]))'
  ]
] as const) {
  test(`a process that ends while ${when} ends as it was told to`, async () => {
    const script = `import(process.argv[1]).then(async ({ DocsIndex }) => {
      const { signal } = new AbortController()
      const vector = new Float32Array(1536).fill(1)
      const awake = setInterval(() => {}, 1000)
      const index = await DocsIndex.load(process.argv[2], signal, { graphFrom: 1 })
      ${wait}
      setTimeout(() => process.exit(7), 20)
    })`
    const module = new URL('../../../src/llm/docs/docsIndex.js', import.meta.url).href
    const child = spawn(process.execPath, ['--eval', script, module, path], { stdio: 'inherit' })
    const [code, killedBy] = await once(child, 'exit')
    assert.equal([code, killedBy], [7, null])
  })
}

test('a missing addon is a reason, and no obstacle', async () => {
  const index = await load({ graphFrom: 1, addon: 'hnswlib-node-that-is-missing' })
  assert.instance(await index.graph, Error)
  assert.is((await index.search({ vector: vectorAt(0), limit: 3 }, never)).length, 3)
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
