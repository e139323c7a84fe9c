import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { DocsIndex, type DocsQuery, type Hit } from '../../../src/llm/docs/docsIndex.js'
import { temporaryDirectory } from '../../support/databases.js'
import { suite } from '../../support/suite.js'
import { rejection } from '../support.js'
import { testChunk, vector, writeIndexFile } from './indexFile.js'

const test = suite('a documentation index in memory')

const never = new AbortController().signal
const CHUNKS = 90
/** Vectors at all angles to each other, up to a right one. */
const chunks = Array.from({ length: CHUNKS }, (_, row) => {
  const angle = ((row * 37) % CHUNKS) * (Math.PI / 2 / CHUNKS)
  return { source: row % 30 === 0 ? 'sdk' : 'site', angle }
})
const towards = (angle: number) => vector(Math.cos(angle), Math.sin(angle))
let directory: Awaited<ReturnType<typeof temporaryDirectory>>
let path = ''
let index: DocsIndex

test.before(async () => {
  directory = await temporaryDirectory()
  path = join(directory.path, 'index.json')
  const rows = chunks.map(({ source, angle }, row) => testChunk(row, { embedding: towards(angle), source }))
  await writeIndexFile(path, rows)
})
test.before.each(async () => {
  index = await DocsIndex.load(path, never)
})
test.after.each(() => index.close())

async function hitsOf(query: DocsQuery): Promise<readonly Hit[]> {
  return JSON.parse(await index.search(query, never))
}

const query = { vector: Float32Array.from(towards(0)), limit: 5 }

test('a search finds what lies nearest, best first, also of a source that has few chunks', async () => {
  assert.is(index.size, CHUNKS)
  for (const angle of [0, 0.3, 0.9, 1.5]) {
    for (const source of [undefined, 'site', 'sdk'] as const) {
      const expected = chunks
        .map((chunk, row) => ({ ...chunk, row, score: Math.cos(chunk.angle - angle) }))
        .filter((chunk) => (source ?? chunk.source) === chunk.source && chunk.score >= 0.5)
        .toSorted((one, other) => other.score - one.score)
        .slice(0, 5)
      const hits = await hitsOf({ vector: Float32Array.from(towards(angle)), limit: 5, source })
      assert.is(hits.length, expected.length)
      for (const [at, { score }] of hits.entries()) assert.ok(Math.abs(score - (expected[at]?.score ?? 0)) < 1e-4)
    }
  }
})

test('searches that are under way when the index is closed come to their end, and later ones are refused', async () => {
  assert.is(index.hasEnded, false)
  const searches = Array.from({ length: 5 }, () => hitsOf(query))
  await index.close()
  for (const hits of await Promise.all(searches)) assert.is(hits.length, 5)
  assert.is(index.hasEnded, true)
  assert.match(String(await rejection(index.search(query, never))), /The index is closed/)
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

test.run()
