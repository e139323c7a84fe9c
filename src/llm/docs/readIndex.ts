import {
  BLOCK_ROWS,
  type ChunkTable,
  type ChunkTexts,
  DIMENSIONS,
  FIELDS,
  magnitudeOf,
  SOURCES,
  sourceCode,
  vectorOf
} from './chunks.js'
import { JsonReader, type ReadChunk } from './jsonReader.js'

const MOST_ROWS = 200_000
const SNIPPET_CHARACTERS = 600
const WANTED = ['source', 'path', 'url', 'title', 'heading', 'content'] as const
type Wanted = (typeof WANTED)[number]

type Documents = ReadonlyMap<string, ChunkTexts>

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
      if (json.number() !== DIMENSIONS) json.fail(`Vectors of a size other than ${DIMENSIONS}`)
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

/** Reads `[internalId, [magnitude, [numbers]]]` and returns the id. */
function readVector(json: JsonReader, target: Float32Array): string {
  let id = ''
  let vectors = 0
  const readNumbers = (part: number) => {
    // The magnitude in front is as quickly computed as it is checked.
    if (part === 0) return json.skip()
    json.numbers(target)
    vectors++
  }
  json.array((part) => {
    if (part === 0) id = json.atString() ? json.string() : String(json.number())
    else json.array(readNumbers)
  })
  if (vectors !== 1) json.fail('Something else than one vector')
  return id
}

function placeFor(row: number, blocks: Float32Array[]): Float32Array {
  const at = row % BLOCK_ROWS
  if (at === 0) blocks.push(new Float32Array(new SharedArrayBuffer(BLOCK_ROWS * DIMENSIONS * 4)))
  return (blocks.at(-1) ?? new Float32Array()).subarray(at * DIMENSIONS, (at + 1) * DIMENSIONS)
}

function readDocuments(json: JsonReader): Documents {
  const documents = new Map<string, ChunkTexts>()
  json.object((id) => {
    const fields: Record<Wanted, string> = { source: '', path: '', url: '', title: '', heading: '', content: '' }
    json.object((key) => {
      const field = WANTED.find((wanted) => wanted === key)
      if (field === undefined) json.skip()
      else if (!json.takeNull()) fields[field] = json.string()
    })
    const { content, ...texts } = fields
    documents.set(id, { ...texts, snippet: snippetOf(content) })
    if (documents.size > MOST_ROWS) json.fail(`More than ${MOST_ROWS} documents`)
  })
  return documents
}

function snippetOf(content: string): string {
  if (content.length <= SNIPPET_CHARACTERS) return content
  const kept = content.slice(0, SNIPPET_CHARACTERS)
  // Half of a character is not text.
  return `${kept.isWellFormed() ? kept : kept.slice(0, -1)}...`
}

function tableOf({ rowOf, blocks }: Vectors, documents: Documents): ChunkTable {
  const rows = rowOf.size
  const magnitudes = new Float64Array(rows)
  const sources = new Uint8Array(new SharedArrayBuffer(rows)).fill(SOURCES.none)
  const textEnds = new Uint32Array(rows * FIELDS.length)
  const texts: Buffer[] = []
  let end = 0
  for (const [id, row] of rowOf) {
    const document = documents.get(id)
    const magnitude = magnitudeOf(vectorOf({ blocks }, row))
    magnitudes[row] = magnitude
    // A vector without a direction is like nothing, and one without a document leads nowhere.
    if (document !== undefined && magnitude > 0) sources[row] = sourceCode(document.source)
    for (const [at, field] of FIELDS.entries()) {
      const bytes = Buffer.from(document?.[field] ?? '')
      texts.push(bytes)
      end += bytes.length
      textEnds[row * FIELDS.length + at] = end
    }
  }
  return { rows, blocks, magnitudes, sources, texts: new Uint8Array(Buffer.concat(texts)), textEnds }
}
