import { truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { readIndex } from '../../../src/llm/docs/readIndex.js'
import { temporaryDirectory } from '../../support/databases.js'
import { suite } from '../../support/suite.js'
import { exportOf, testChunk, vector } from './indexFile.js'

const test = suite('reading a documentation index')

let directory: Awaited<ReturnType<typeof temporaryDirectory>>
test.before(async () => {
  directory = await temporaryDirectory()
})

function read(index: unknown, text = JSON.stringify(index)) {
  const path = join(directory.path, 'index.json')
  writeFileSync(path, text)
  return readIndex(path)
}

const twoChunks = () =>
  exportOf([testChunk(0, { embedding: vector(3, -4) }), testChunk(1, { embedding: vector(0.125), source: 'sdk' })])

test('vectors, their lengths and the texts of their documents are read, in their order', () => {
  const rows = read(twoChunks())
  assert.equal(
    rows.map((row) => [row.magnitude, [...row.vector]]),
    [
      [5, vector(3, -4)],
      [0.125, vector(0.125)]
    ]
  )
  assert.equal(rows[1]?.chunk, {
    title: 'Page 1',
    heading: 'Heading 1',
    url: 'https://docs.example/page-1',
    source: 'sdk',
    path: 'docs/page-1.md',
    snippet: 'Content of page 1'
  })
})

test('texts of any language come through, and long contents are cut to snippets between characters', () => {
  const title = 'Ünïcode 😀 "quoted"\n\u2028'
  const contents = ['x'.repeat(600), 'x'.repeat(601), `${'x'.repeat(599)}😀`, `${'x'.repeat(598)}😀!`]
  const rows = read(exportOf(contents.map((content, row) => testChunk(row, { content, title }))))
  assert.equal(
    rows.map(({ chunk }) => [chunk.title, chunk.snippet]),
    ['x'.repeat(600), `${'x'.repeat(600)}...`, `${'x'.repeat(599)}...`, `${'x'.repeat(598)}😀...`].map((snippet) => {
      return [title, snippet]
    })
  )
})

test('a vector without a document, one without a direction, and a document without a vector cannot be found', () => {
  const { docs, ...index } = exportOf([0, 1, 2].map((row) => testChunk(row, row === 1 ? { embedding: vector() } : {})))
  const { 1: _, ...rest } = docs.docs
  index.index.vectorIndexes.embedding.vectors.pop()
  assert.equal(read({ ...index, docs: { docs: rest } }), [])
  assert.equal(read(exportOf([])), [])
})

test('what is missing, null or no text in a document is empty', () => {
  const { docs, ...index } = exportOf([testChunk(0)])
  const { heading: _, ...document } = docs.docs[1] ?? testChunk(0)
  const [row] = read({ ...index, docs: { docs: { 1: { ...document, title: null, url: 7 } } } })
  assert.equal([row?.chunk.title, row?.chunk.heading, row?.chunk.url, row?.chunk.source], ['', '', '', 'site'])
})

const withVector = (numbers: unknown) => ({
  ...twoChunks(),
  index: { vectorIndexes: { embedding: { vectors: [[1, [1, numbers]]] } } }
})
for (const [what, index, complaint] of [
  ['another document', { hello: 'world' }, /has no vectors/],
  ['a list', [], /has no vectors/],
  ['an index without documents', { ...twoChunks(), docs: undefined }, /has no documents/],
  ['a short vector', withVector([1]), /than a vector of 1536 numbers/],
  ['a null in a vector', withVector([...vector(1).slice(1), null]), /than a vector of 1536 numbers/],
  ['an entry that is none', { ...twoChunks(), index: { vectorIndexes: { embedding: { vectors: [7] } } } }, /than a vec/]
] as const) {
  test(`${what} is refused`, () => assert.throws(() => read(index), complaint))
}

test('a file that is cut off, and one that is larger than a text may be, are refused', () => {
  const text = JSON.stringify(exportOf([testChunk(0)]))
  for (const length of [0, 1, text.length / 2, text.length - 1]) {
    assert.throws(() => read(null, text.slice(0, length)), /JSON/, `cut after ${length}`)
  }
  const path = join(directory.path, 'large.json')
  writeFileSync(path, '')
  truncateSync(path, 2 ** 30)
  assert.throws(() => readIndex(path), /^The index is larger than \d+ bytes$/)
})

test.run()
