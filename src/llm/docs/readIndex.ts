import { JsonReader, type ReadChunk } from './jsonReader.js'

export const DIMENSIONS = 1536

const MOST_ROWS = 200_000
const SNIPPET_CHARACTERS = 600
const NO_TEXTS = { source: '', path: '', url: '', title: '', heading: '', content: '' }

/** A piece of the documentation, as a model is told of it. */
export interface Chunk {
  readonly title: string
  readonly heading: string
  readonly url: string
  readonly source: string
  readonly path: string
  readonly snippet: string
}

/** A chunk that can be found, by its vector. */
export interface Row {
  readonly chunk: Chunk
  readonly vector: Float32Array
  readonly magnitude: number
}

/**
 * Reads a documentation index: the export of an Orama database, of which the vectors in
 * `index.vectorIndexes.embedding` and the documents in `docs.docs` matter. Throws on anything that is not one.
 */
export function readIndex(read: ReadChunk): readonly Row[] {
  const json = new JsonReader(read)
  const found: { vectors?: ReadonlyMap<string, Float32Array>; documents?: ReadonlyMap<string, Chunk> } = {}
  const embedding = () => {
    found.vectors = readVectors(json)
  }
  const docs = () => {
    found.documents = readDocuments(json)
  }
  json.members({
    index: () => json.members({ vectorIndexes: () => json.members({ embedding }) }),
    docs: () => json.members({ docs })
  })
  json.end()
  const { vectors, documents } = found
  if (vectors === undefined) throw new SyntaxError('The index has no vectors')
  if (documents === undefined) throw new SyntaxError('The index has no documents')
  return [...vectors].flatMap(([id, vector]) => {
    const chunk = documents.get(id)
    const magnitude = Math.sqrt(dotProduct(vector, vector))
    // A vector without a direction is like nothing, and one without a document leads nowhere.
    return chunk && magnitude > 0 ? [{ chunk, vector, magnitude }] : []
  })
}

export function dotProduct(one: Float32Array, other: Float32Array): number {
  let a = 0
  let b = 0
  let c = 0
  let d = 0
  // Four sums at once, because each addition has to wait for the one before it.
  for (let i = 0; i < DIMENSIONS; i += 4) {
    a += (one[i] ?? 0) * (other[i] ?? 0)
    b += (one[i + 1] ?? 0) * (other[i + 1] ?? 0)
    c += (one[i + 2] ?? 0) * (other[i + 2] ?? 0)
    d += (one[i + 3] ?? 0) * (other[i + 3] ?? 0)
  }
  return a + b + (c + d)
}

/** The vectors by the ids of their documents, in their order: a list of `[id, [magnitude, [numbers]]]`. */
function readVectors(json: JsonReader): ReadonlyMap<string, Float32Array> {
  const vectors = new Map<string, Float32Array>()
  json.members({
    size: () => {
      if (json.value() !== DIMENSIONS) json.fail(`Vectors of a size other than ${DIMENSIONS}`)
    },
    vectors: () =>
      json.array((row) => {
        if (row === MOST_ROWS) json.fail(`More than ${MOST_ROWS} vectors`)
        const entry = json.value()
        const [id, pair]: readonly unknown[] = Array.isArray(entry) ? entry : []
        // The magnitude is as quickly computed as it is checked.
        const numbers: unknown = Array.isArray(pair) ? pair[1] : undefined
        if (!isListOfNumbers(numbers)) return json.fail(`Something else than a vector of ${DIMENSIONS} numbers`)
        const vector = Float32Array.from(numbers)
        if (!vector.every(Number.isFinite)) json.fail('A number that is too large')
        if (vectors.has(String(id))) json.fail('A second vector of the same document')
        vectors.set(String(id), vector)
      })
  })
  return vectors
}

function isListOfNumbers(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.length === DIMENSIONS && value.every((one) => typeof one === 'number')
}

function readDocuments(json: JsonReader): ReadonlyMap<string, Chunk> {
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
