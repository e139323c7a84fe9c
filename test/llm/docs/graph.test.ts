import * as assert from 'uvu/assert'
import { BLOCK_ROWS, bestHits, type Chunk, type ChunkTable, DIMENSIONS } from '../../../src/llm/docs/chunkTable.js'
import { buildGraph, type GraphSearch } from '../../../src/llm/docs/graph.js'
import { suite } from '../../support/suite.js'
import { clusteredVectors } from './indexFile.js'

const test = suite('search in a graph')

const vectorAt = clusteredVectors(DIMENSIONS, 20)

/** A table whose rows cannot all be found: each third is of the SDK, and each hundredth leads nowhere. */
function tableOf(rows: number): ChunkTable {
  const blocks: Float32Array[] = []
  for (let row = 0; row < rows; row++) {
    if (row % BLOCK_ROWS === 0) blocks.push(new Float32Array(BLOCK_ROWS * DIMENSIONS))
    blocks.at(-1)?.set(vectorAt(row), (row % BLOCK_ROWS) * DIMENSIONS)
  }
  const chunkAt = (row: number): Chunk | null => {
    const texts = { title: '', heading: '', url: '', snippet: '' }
    return row % 100 === 99 ? null : { ...texts, path: String(row), source: row % 3 === 0 ? 'sdk' : 'site' }
  }
  return {
    blocks,
    magnitudes: new Float64Array(rows).fill(1),
    chunks: Array.from({ length: rows }, (_, row) => chunkAt(row))
  }
}

async function graphOf(table: ChunkTable): Promise<GraphSearch> {
  const search = await buildGraph(table, 'hnswlib-node')
  assert.ok(search !== null)
  return search ?? (() => null)
}

// Building takes seconds, and several times as many on a machine that is busy.
const BUILDING = { timeout_ms: 60_000 }

test(
  'it finds what looking at every row finds, also of one source',
  async () => {
    const table = tableOf(1500)
    const search = await graphOf(table)
    let wanted = 0
    let found = 0
    for (let query = 0; query < 40; query++) {
      const vector = vectorAt(1_000_000 + query)
      for (const source of [undefined, 'sdk'] as const) {
        const exact = bestHits(table, table.chunks.keys(), { vector, limit: 5, source })
        const rows = new Set(search({ vector, limit: 5, source }))
        wanted += exact.length
        found += exact.filter(({ path }) => rows.has(Number(path))).length
      }
    }
    assert.ok(wanted > 200, `the test compares ${wanted} hits only`)
    assert.ok(found / wanted > 0.98, `it found ${found} of ${wanted}`)
  },
  BUILDING
)

test('rows that lead nowhere are never found', async () => {
  const search = await graphOf(tableOf(200))
  const found = search({ vector: vectorAt(99), limit: 10 })
  assert.ok(found !== null && found.length > 0)
  assert.equal(
    found?.filter((row) => row % 100 === 99),
    []
  )
})

test('asking for more than there is, or for nonsense, harms nobody', async () => {
  const search = await graphOf(tableOf(3))
  assert.is(search({ vector: vectorAt(0), limit: 50 })?.length, 3)
  assert.is(search({ vector: vectorAt(0).subarray(1), limit: 5 }), null)
  assert.is(search({ vector: vectorAt(0).fill(Number.NaN), limit: 5 }), null)
})

test('building stops when it is told to', async () => {
  let rows = 0
  const isStopped = () => ++rows > 10
  assert.is(await buildGraph(tableOf(50), 'hnswlib-node', isStopped), null)
  assert.is(rows, 11)
})

test('an empty table is a graph that finds nothing', async () => {
  const search = await graphOf(tableOf(0))
  assert.equal(search({ vector: vectorAt(0), limit: 5 }), [])
})

for (const addon of ['hnswlib-node-that-is-missing', 'node:path']) {
  test(`${addon} is no addon`, async () => {
    const failure = await buildGraph(tableOf(1), addon).then(
      () => null,
      (error: Error) => error.message
    )
    assert.match(failure ?? '', /Cannot find package|is not what it was/)
  })
}

test('while it is being built others have their turn', async () => {
  let turns = 0
  let isBuilding = true
  const others = (async () => {
    while (isBuilding) {
      await new Promise((resolve) => setImmediate(resolve))
      turns++
    }
  })()
  await graphOf(tableOf(50))
  isBuilding = false
  await others
  assert.ok(turns >= 49, `they had ${turns}`)
})

test.run()
