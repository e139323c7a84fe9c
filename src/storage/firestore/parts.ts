import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { Timestamp } from '@google-cloud/firestore'
import type { Client } from './client.js'
import { lastOf, PARTS } from './layout.js'
import { bytesOf } from './values.js'
import type { Write } from './writes.js'

// A document holds 1 MiB. What is larger is compressed and cut into documents of its own, which the document that needs
// them names. Parts never change: a text that is written again gets new ones, and whoever replaces a text takes its old
// ones away in the same commit, as far as it knows them.

const PART_BYTES = 1_000_000
/** Of so many rows it is remembered which parts they have. */
const ROWS_MAX = 10_000
/** What the texts of one document may have together before they are put into parts. */
export const INLINE_BYTES_MAX = 900_000

/** The parts of each text that has any, by the name of its field. */
export type PartIds = ReadonlyMap<string, readonly string[]>

export const NO_PARTS: PartIds = new Map()

/** A text as it is kept compressed, and back. */
export const packed = (text: string): Promise<Buffer> => promisify(gzip)(text)
export const unpacked = async (bytes: Uint8Array): Promise<string> => (await promisify(gunzip)(bytes)).toString()

/** The parts of a text, as the commit that stores them must write them below `parent`. */
export async function partsOf(parent: string, text: string): Promise<{ ids: readonly string[]; writes: Write[] }> {
  const bytes = await packed(text)
  const token = randomUUID()
  const count = Math.ceil(bytes.length / PART_BYTES)
  const ids = Array.from({ length: count }, (_, i) => `${token}-${i}`)
  const writes = ids.map((id, i) => {
    return { set: partPath(parent, id), fields: { data: bytes.subarray(i * PART_BYTES, (i + 1) * PART_BYTES) } }
  })
  return { ids, writes }
}

/** The changes that take parts away. */
export function withoutParts(parent: string, ids: readonly string[]): readonly Write[] {
  return ids.map((id) => ({ remove: partPath(parent, id) }))
}

/** Texts from their parts, as they all were at one moment: by now, somebody may have replaced them. */
export async function textsFromParts(
  client: Client,
  parent: string,
  wanted: readonly (readonly string[])[],
  at: Timestamp
): Promise<readonly string[]> {
  const paths = wanted.flat().map((id) => partPath(parent, id))
  const { documents } = await client.get(paths, at)
  const parts = new Map(documents.map(({ path, fields }) => [lastOf(path), bytesOf(fields.data)]))
  return Promise.all(wanted.map((ids) => unpacked(Buffer.concat(ids.map((id) => parts.get(id) ?? missing(id))))))
}

function missing(id: string): never {
  throw new Error(`There is no part ${id}.`)
}

function partPath(parent: string, id: string): string {
  return `${parent}/${PARTS}/${id}`
}

/** Where the rows of a generation are: below the document `parent`; and what is known of their parts. */
export interface RowPlace {
  readonly client: Client
  readonly parent: string
  readonly known: KnownParts
}

/**
 * Which parts the rows have that this process has read or written. A commit that replaces or deletes such a row takes its
 * parts away with it. Whoever decides about a row has read it, so what is known here is what the row has; were it not,
 * parts that nothing names would be left over until their generation is dropped, and nobody would read anything wrong.
 */
export class KnownParts {
  readonly #rows = new Map<string, PartIds>()

  of(row: string): PartIds {
    return this.#rows.get(row) ?? NO_PARTS
  }

  note(row: string, parts: PartIds): void {
    this.#rows.delete(row)
    if (parts.size === 0) return
    const [oldest] = this.#rows.keys()
    if (oldest !== undefined && this.#rows.size >= ROWS_MAX) this.#rows.delete(oldest)
    this.#rows.set(row, parts)
  }
}
