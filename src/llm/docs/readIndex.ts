import { constants } from 'node:buffer'
import { readFileSync, statSync } from 'node:fs'
import { z } from 'zod'

export const DIMENSIONS = 1536

const SNIPPET_CHARACTERS = 600

/** Of a document, what is missing or no text is empty. A text is read as a byte a character. */
const text = z
  .string()
  .catch('')
  .transform((bytes) => Buffer.from(bytes, 'latin1').toString())
const document = z
  .object({ title: text, heading: text, url: text, source: text, path: text, content: text })
  .transform(({ content, ...rest }) => ({ ...rest, snippet: snippetOf(content) }))

/** A piece of the documentation, as a model is told of it. */
export type Chunk = Readonly<z.infer<typeof document>>

/** A chunk that can be found, by its vector. */
export interface Row {
  readonly chunk: Chunk
  readonly vector: Float32Array
  readonly magnitude: number
}

/**
 * Reads a documentation index: the export of an Orama database, of which the vectors in
 * `index.vectorIndexes.embedding` and the documents in `docs.docs` matter. Throws on anything that is not one, and
 * on a file that is larger than a text may be, which is about 512 MB.
 */
export function readIndex(path: string): readonly Row[] {
  if (statSync(path).size > constants.MAX_STRING_LENGTH) {
    throw new RangeError(`The index is larger than ${constants.MAX_STRING_LENGTH} bytes`)
  }
  // A byte a character: a text of UTF-8 may take twice the memory.
  const index: unknown = JSON.parse(readFileSync(path, 'latin1'))
  // A list of `[id, [magnitude, [numbers]]]`.
  const vectors = memberOf(index, 'index', 'vectorIndexes', 'embedding', 'vectors')
  const documents = memberOf(index, 'docs', 'docs')
  if (!Array.isArray(vectors)) throw new SyntaxError('The index has no vectors')
  if (!isObject(documents)) throw new SyntaxError('The index has no documents')
  return vectors.flatMap((entry: unknown) => {
    const [id, pair]: readonly unknown[] = Array.isArray(entry) ? entry : []
    const vector = vectorOf(Array.isArray(pair) ? pair[1] : undefined)
    const found = documents[String(id)]
    const magnitude = Math.sqrt(dotProduct(vector, vector))
    // A vector without a direction is like nothing, and one without a document leads nowhere.
    return isObject(found) && magnitude > 0 ? [{ chunk: document.parse(found), vector, magnitude }] : []
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

type Json = Readonly<Record<string, unknown>>

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function memberOf(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce((at, key) => (isObject(at) ? at[key] : undefined), value)
}

function vectorOf(numbers: unknown): Float32Array {
  if (Array.isArray(numbers) && numbers.length === DIMENSIONS && numbers.every((one) => typeof one === 'number')) {
    return Float32Array.from(numbers)
  }
  throw new SyntaxError(`Something else than a vector of ${DIMENSIONS} numbers`)
}

function snippetOf(content: string): string {
  if (content.length <= SNIPPET_CHARACTERS) return content
  const kept = content.slice(0, SNIPPET_CHARACTERS)
  // Half of a character is not text.
  return `${kept.isWellFormed() ? kept : kept.slice(0, -1)}...`
}
