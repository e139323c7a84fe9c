import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'

export interface TestChunk {
  readonly id: string
  readonly source: string
  readonly path: string
  readonly url: string
  readonly title: string
  readonly heading: string
  readonly content: string
  readonly embedding: readonly number[]
}

const STRINGS = ['id', 'source', 'path', 'url', 'title', 'heading', 'content'] as const
const PIECE_CHARACTERS = 1 << 18

/** Writes an index file as Orama 3.1 exports its database, without ever holding the whole of it. */
export async function writeIndexFile(path: string, count: number, chunkAt: (row: number) => TestChunk): Promise<void> {
  const stream = createWriteStream(path)
  const done = finished(stream)
  let piece = ''
  for (const text of exportOf(count, chunkAt)) {
    piece += text
    if (piece.length < PIECE_CHARACTERS) continue
    if (!stream.write(piece)) await once(stream, 'drain')
    piece = ''
  }
  stream.end(piece)
  await done
}

/** The text of an index file, piece by piece. */
export function* exportOf(count: number, chunkAt: (row: number) => TestChunk): Iterable<string> {
  yield '{"internalDocumentIDStore":{"internalIdToId":'
  yield* list(count, (row) => JSON.stringify(chunkAt(row).id))
  const radix = { type: 'Radix', node: { w: '', s: '', e: false, k: '', d: [], c: [] }, isArray: false }
  yield `},"index":{"indexes":${JSON.stringify(Object.fromEntries(STRINGS.map((name) => [name, radix])))}`
  yield ',"vectorIndexes":{"embedding":{"size":1536,"vectors":'
  yield* list(count, (row) => {
    const { embedding } = chunkAt(row)
    return JSON.stringify([row + 1, [Math.hypot(...embedding), embedding]])
  })
  yield `}},"searchableProperties":${JSON.stringify([...STRINGS, 'embedding'])}`
  const types = { ...Object.fromEntries(STRINGS.map((name) => [name, 'string'])), embedding: 'vector[1536]' }
  yield `,"searchablePropertiesWithTypes":${JSON.stringify(types)}`
  yield ',"frequencies":{"content":{"1":{"a \\"word\\"]":0.5}}},"tokenOccurrences":{},"avgFieldLength":{},"fieldLengths":{}}'
  yield ',"docs":{"docs":{'
  for (let row = 0; row < count; row++) yield `${row === 0 ? '' : ','}"${row + 1}":${JSON.stringify(chunkAt(row))}`
  yield `},"count":${count}},"sorting":{"language":"english","sortableProperties":[],"sorts":{},"enabled":true}`
  yield ',"pinning":{"rules":[]},"language":"english"}'
}

function* list(count: number, textAt: (row: number) => string): Iterable<string> {
  yield '['
  for (let row = 0; row < count; row++) yield `${row === 0 ? '' : ','}${textAt(row)}`
  yield ']'
}

/** A chunk with something in every field, for tests that look at one of them. */
export function testChunk(row: number, given: Partial<TestChunk> & Pick<TestChunk, 'embedding'>): TestChunk {
  const path = `docs/page-${row}.md`
  return {
    id: `site:${path}#0`,
    source: 'site',
    path,
    url: `https://docs.example/page-${row}`,
    title: `Page ${row}`,
    heading: `Heading ${row}`,
    content: `Content of page ${row}`,
    ...given
  }
}

/** Numbers from 0 to 1 that look random and are always the same. */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/**
 * Vectors of length one as embeddings are: of few directions that matter, in clusters, with some noise. The same
 * number gives the same vector.
 */
export function clusteredVectors(dimensions: number, clusters: number, seed = 1): (row: number) => Float32Array {
  const latent = 64
  const random = randomNumbers(seed)
  const gauss = (next: () => number) => next() + next() + next() + next() - 2
  const basis = Float32Array.from({ length: latent * dimensions }, () => gauss(random))
  const centres = Array.from({ length: clusters }, () => Float32Array.from({ length: latent }, () => gauss(random)))
  return (row) => {
    const next = randomNumbers(seed * 1_000_003 + row)
    const centre = centres[row % clusters] ?? new Float32Array(latent)
    const point = Float32Array.from(centre, (value) => value + 0.7 * gauss(next))
    const vector = new Float32Array(dimensions)
    for (const [axis, size] of point.entries()) {
      for (let i = 0; i < dimensions; i++) vector[i] = (vector[i] ?? 0) + size * (basis[axis * dimensions + i] ?? 0)
    }
    for (let i = 0; i < dimensions; i++) vector[i] = (vector[i] ?? 0) + gauss(next)
    const length = Math.hypot(...vector)
    return vector.map((value) => value / length)
  }
}
