import * as assert from 'uvu/assert'
import { readIndex } from '../../../src/llm/docs/readIndex.js'
import { suite } from '../../support/suite.js'
import { exportOf, type TestChunk, testChunk } from './indexFile.js'
import { vector } from './vectors.js'

const test = suite('reading a documentation index')

function read(text: string) {
  const bytes = Buffer.from(text)
  let at = 0
  return readIndex((buffer) => {
    const size = bytes.copy(buffer, 0, at)
    at += size
    return size
  })
}

const textOf = (...chunks: readonly TestChunk[]) =>
  [...exportOf(chunks.length, (row) => chunks[row] ?? testChunk(row, { embedding: [] }))].join('')

/** The export of one chunk, changed as JSON. */
function changed(change: (index: ReturnType<typeof parsed>) => void): string {
  const index = parsed()
  change(index)
  return JSON.stringify(index)
}

function parsed() {
  return JSON.parse(textOf(testChunk(0, { embedding: vector(3, 4) }), testChunk(1, { embedding: vector(1) })))
}

function refusal(text: string): string {
  try {
    read(text)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  return 'it was read'
}

test('vectors, their lengths and the texts of their documents are read', () => {
  const rows = read(
    textOf(testChunk(0, { embedding: vector(3, -4) }), testChunk(1, { embedding: vector(0.125), source: 'sdk' }))
  )
  assert.equal(
    rows.map(({ magnitude }) => magnitude),
    [5, 0.125]
  )
  assert.equal(
    rows.map((row) => [...row.vector]),
    [vector(3, -4), vector(0.125)]
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

test('the parts may come in any order, and strangers among them', () => {
  const { index, docs, ...rest } = parsed()
  assert.is(read(JSON.stringify({ docs, future: [{ a: 1 }], ...rest, index }, null, 2)).length, 2)
})

test('texts of any language come through', () => {
  const title = 'Ünïcode 😀 "quoted"\n\u2028'
  assert.is(read(textOf(testChunk(0, { embedding: vector(1), title })))[0]?.chunk.title, title)
})

test('long contents are cut to snippets between characters', () => {
  const contents = ['x'.repeat(600), 'x'.repeat(601), `${'x'.repeat(599)}😀`, `${'x'.repeat(598)}😀!`]
  const chunks = contents.map((content, row) => testChunk(row, { embedding: vector(1), content }))
  assert.equal(
    read(textOf(...chunks)).map(({ chunk }) => chunk.snippet),
    ['x'.repeat(600), `${'x'.repeat(600)}...`, `${'x'.repeat(599)}...`, `${'x'.repeat(598)}😀...`]
  )
})

test('an empty index is one', () => {
  assert.equal(read(textOf()), [])
})

test('a vector without a document, and one without a direction, cannot be found', () => {
  const text = changed((index) => {
    delete index.docs.docs['1']
    index.index.vectorIndexes.embedding.vectors[1][1][1][0] = 0
  })
  assert.equal(read(text), [])
})

test('a document without a vector does not matter', () => {
  assert.is(read(changed((index) => index.index.vectorIndexes.embedding.vectors.pop())).length, 1)
})

test('what is missing or null in a document is empty', () => {
  const text = changed((index) => {
    delete index.docs.docs['1'].heading
    index.docs.docs['1'].title = null
  })
  const [row] = read(text)
  assert.equal([row?.chunk.title, row?.chunk.heading], ['', ''])
})

test('rows are in their order', () => {
  const chunks = Array.from({ length: 600 }, (_, row) => testChunk(row, { embedding: vector(row + 1) }))
  assert.equal(
    read(textOf(...chunks)).map(({ magnitude }) => magnitude),
    [...chunks.keys()].map((row) => row + 1)
  )
})

for (const [what, text, complaint] of [
  ['nothing', '', /The end too early/],
  ['another document', '{"hello":"world"}', /has no vectors/],
  ['a list', '[]', /Something else than \{/],
  ['an index without documents', changed((index) => delete index.docs), /has no documents/],
  ['an index of another field', changed((index) => delete index.index.vectorIndexes.embedding), /has no vectors/],
  ['another size', changed((index) => (index.index.vectorIndexes.embedding.size = 768)), /size other than 1536/],
  ['a short vector', changed((index) => index.index.vectorIndexes.embedding.vectors[0][1][1].pop()), /Something else/],
  ['a long vector', changed((index) => index.index.vectorIndexes.embedding.vectors[0][1][1].push(1)), /Something else/],
  [
    'a null in a vector',
    changed((index) => (index.index.vectorIndexes.embedding.vectors[0][1][1][7] = null)),
    /number/
  ],
  [
    'a string in a vector',
    changed((index) => (index.index.vectorIndexes.embedding.vectors[0][1][1][7] = '1')),
    /number/
  ],
  ['a huge number', changed((index) => (index.index.vectorIndexes.embedding.vectors[0][1][1][7] = 1e300)), /too large/],
  ['one document twice', changed((index) => (index.index.vectorIndexes.embedding.vectors[0][0] = 2)), /second vector/],
  ['a document with a number for a title', changed((index) => (index.docs.docs['1'].title = 7)), /Something else/],
  ['something behind the end', `${textOf()}{`, /behind the end/]
] as const) {
  test(`${what} is refused`, () => {
    assert.match(refusal(text), complaint)
  })
}

test('an index is refused wherever it is cut off', () => {
  const text = textOf(testChunk(0, { embedding: vector(1) }))
  for (let length = 0; length < text.length; length += 97) {
    assert.is.not(refusal(text.slice(0, length)), 'it was read', `cut after ${length}`)
  }
})

test.run()
