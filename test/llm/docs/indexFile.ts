import { writeFile } from 'node:fs/promises'
import { DIMENSIONS } from '../../../src/llm/docs/readIndex.js'

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

/** Writes an index file as Orama 3.1 exports its database. */
export function writeIndexFile(path: string, chunks: readonly TestChunk[]): Promise<void> {
  return writeFile(path, JSON.stringify(exportOf(chunks)))
}

/** The parts of an index that matter, among some that do not. */
export function exportOf(chunks: readonly TestChunk[]) {
  const vectors = chunks.map(({ embedding }, row) => [row + 1, [Math.hypot(...embedding), embedding]] as const)
  return {
    internalDocumentIDStore: { internalIdToId: chunks.map(({ id }) => id) },
    index: {
      indexes: { title: { type: 'Radix', node: { w: '', s: '', e: false, k: '', d: [], c: [] }, isArray: false } },
      vectorIndexes: { embedding: { size: DIMENSIONS, vectors } },
      frequencies: { content: { 1: { 'a "word"]': 0.5 } } }
    },
    docs: { docs: Object.fromEntries(chunks.map((chunk, row) => [`${row + 1}`, chunk])), count: chunks.length },
    language: 'english'
  }
}

/** A chunk with something in every field, for tests that look at one of them. */
export function testChunk(row: number, given: Partial<TestChunk> = {}): TestChunk {
  const path = `docs/page-${row}.md`
  return {
    id: `site:${path}#0`,
    source: 'site',
    path,
    url: `https://docs.example/page-${row}`,
    title: `Page ${row}`,
    heading: `Heading ${row}`,
    content: `Content of page ${row}`,
    embedding: vector(1),
    ...given
  }
}

/** A vector that begins with these numbers and goes on with zeros. */
export function vector(...first: readonly number[]): number[] {
  return [...first, ...Array.from({ length: DIMENSIONS - first.length }, () => 0)]
}
