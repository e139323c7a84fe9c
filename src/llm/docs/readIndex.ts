import { BLOCK_ROWS, type Chunk, type ChunkTable, DIMENSIONS, magnitudeOf, vectorOf } from './chunkTable.js'
import { JsonReader, type ReadChunk } from './jsonReader.js'

const MOST_ROWS = 200_000
const SNIPPET_CHARACTERS = 600
const NO_TEXTS = { source: '', path: '', url: '', title: '', heading: '', content: '' }

type Documents = ReadonlyMap<string, Chunk>

interface Vectors {
  /** The row of each internal id. */
  readonly rowOf: ReadonlyMap<string, number>
  readonly blocks: readonly Float32Array[]
}

/**
 * Reads a documentation index: the export of an Orama database, of which the vectors in
 * `index.vectorIndexes.embedding` and the documents in `docs.docs` matter. Throws on anything that is not one.
 */
export function readIndex(read: ReadChunk): ChunkTable {
  const json = new JsonReader(read)
  const found: { vectors?: Vectors | undefined; documents?: Documents | undefined } = {}
  json.object((key) => {
    if (key === 'index') found.vectors = readMember(json, 'vectorIndexes', readEmbeddings)
    else if (key === 'docs') found.documents = readMember(json, 'docs', readDocuments)
    else json.skip()
  })
  json.end()
  if (found.vectors === undefined) throw new SyntaxError('The index has no vectors')
  if (found.documents === undefined) throw new SyntaxError('The index has no documents')
  return tableOf(found.vectors, found.documents)
}

/** Reads one member of an object and skips the others; undefined when it is not there. */
function readMember<T>(json: JsonReader, name: string, read: (json: JsonReader) => T): T | undefined {
  const found: { value?: T } = {}
  json.object((key) => {
    if (key === name) found.value = read(json)
    else json.skip()
  })
  return found.value
}

function readEmbeddings(json: JsonReader): Vectors | undefined {
  return readMember(json, 'embedding', readVectors)
}

function readVectors(json: JsonReader): Vectors {
  const rowOf = new Map<string, number>()
  const blocks: Float32Array[] = []
  json.object((key) => {
    if (key === 'size') {
      if (json.value() !== DIMENSIONS) json.fail(`Vectors of a size other than ${DIMENSIONS}`)
    } else if (key === 'vectors') {
      json.array((row) => {
        if (row === MOST_ROWS) json.fail(`More than ${MOST_ROWS} vectors`)
        rowOf.set(readVector(json, placeFor(row, blocks)), row)
        if (rowOf.size <= row) json.fail('A second vector of the same document')
      })
    } else json.skip()
  })
  return { rowOf, blocks }
}

/** Reads `[internalId, [magnitude, [numbers]]]` into the target and returns the id. */
function readVector(json: JsonReader, target: Float32Array): string {
  const entry = json.value()
  const [id, vector]: readonly unknown[] = Array.isArray(entry) ? entry : []
  // The magnitude is as quickly computed as it is checked.
  const numbers: unknown = Array.isArray(vector) ? vector[1] : undefined
  if (!isListOfNumbers(numbers)) return json.fail(`Something else than a vector of ${DIMENSIONS} numbers`)
  target.set(numbers)
  if (!target.every(Number.isFinite)) json.fail('A number that is too large')
  return String(id)
}

function isListOfNumbers(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.length === DIMENSIONS && value.every((one) => typeof one === 'number')
}

function placeFor(row: number, blocks: Float32Array[]): Float32Array {
  const at = row % BLOCK_ROWS
  if (at === 0) blocks.push(new Float32Array(BLOCK_ROWS * DIMENSIONS))
  return (blocks.at(-1) ?? new Float32Array()).subarray(at * DIMENSIONS, (at + 1) * DIMENSIONS)
}

function readDocuments(json: JsonReader): Documents {
  const documents = new Map<string, Chunk>()
  json.object((id) => {
    const fields = { ...NO_TEXTS }
    json.object((key) => {
      if (!isField(key)) return json.skip()
      const text = json.value() ?? ''
      if (typeof text !== 'string') return json.fail('Something else than a text')
      fields[key] = text
    })
    const { content, ...texts } = fields
    documents.set(id, { ...texts, snippet: snippetOf(content) })
    if (documents.size > MOST_ROWS) json.fail(`More than ${MOST_ROWS} documents`)
  })
  return documents
}

function isField(key: string): key is keyof typeof NO_TEXTS {
  return Object.hasOwn(NO_TEXTS, key)
}

function snippetOf(content: string): string {
  if (content.length <= SNIPPET_CHARACTERS) return content
  const kept = content.slice(0, SNIPPET_CHARACTERS)
  // Half of a character is not text.
  return `${kept.isWellFormed() ? kept : kept.slice(0, -1)}...`
}

function tableOf({ rowOf, blocks }: Vectors, documents: Documents): ChunkTable {
  const magnitudes = Float64Array.from({ length: rowOf.size }, (_, row) => magnitudeOf(vectorOf(blocks, row)))
  // A vector without a direction is like nothing, and one without a document leads nowhere.
  const chunks = [...rowOf].map(([id, row]) => (magnitudes[row] === 0 ? null : (documents.get(id) ?? null)))
  return { blocks, magnitudes, chunks }
}
