import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import type { Answer, Client } from './client.js'
import { bytesOf, type Document, type Fields, mapOf, type RawFields, textsOf, type Write } from './documents.js'
import { lastOf, PARTS } from './layout.js'

// A document holds 1 MiB. What is larger is compressed and cut into documents of its own, which the document that needs
// them names. Parts never change: a text that is written again gets new ones, and whoever replaces a text takes its old
// ones away in the same commit, as far as it knows them.

const PART_BYTES = 1_000_000
/** How often a document is read again whose parts are not there. */
const READ_AGAIN_MAX = 3
/** Of so many documents it is remembered which parts they have. */
const KNOWN_MAX = 10_000
/** What the texts of one document may have together before they are put into parts. */
export const INLINE_BYTES_MAX = 900_000

/** The field of a document that names its parts. */
export const PARTS_FIELD = 'parts'

/** The parts of each text that has any, by the name of its field. */
type PartIds = ReadonlyMap<string, readonly string[]>

const NO_PARTS: PartIds = new Map()

/** A text as it is kept compressed, and back. */
export const packed = (text: string): Promise<Buffer> => promisify(gzip)(text)
export const unpacked = async (bytes: Uint8Array): Promise<string> => (await promisify(gunzip)(bytes)).toString()

/**
 * The fields of a document in which no text has more bytes than `bytesMax` says for its field, and what writes the parts below
 * `parent` that the others are put into. Of a document that is changed, other texts keep their parts.
 */
export async function divided(
  parent: string,
  fields: Fields,
  bytesMax: Readonly<Record<string, number>>,
  isChange = false
): Promise<{ readonly fields: Fields; readonly writes: readonly Write[] }> {
  const own: Record<string, Fields[string]> = { ...fields }
  const parts: Record<string, readonly string[] | undefined> = {}
  const writes: Write[] = []
  for (const [name, max] of Object.entries(bytesMax)) {
    const text = fields[name]
    parts[name] = undefined
    if (typeof text !== 'string' || Buffer.byteLength(text) <= max) continue
    const bytes = await packed(text)
    const token = randomUUID()
    const ids = Array.from({ length: Math.ceil(bytes.length / PART_BYTES) }, (_, i) => `${token}-${i}`)
    for (const [i, id] of ids.entries()) {
      const data = bytes.subarray(i * PART_BYTES, (i + 1) * PART_BYTES)
      writes.push({ set: partPath(parent, id), fields: { data } })
    }
    parts[name] = ids
    if (isChange) own[name] = undefined
    else delete own[name]
  }
  return { fields: { ...own, ...mapFields(PARTS_FIELD, parts, isChange) }, writes }
}

/** What a map says of some names, as fields: of a whole document, or of one that is changed and in which others stay. */
export function mapFields(field: string, map: Fields, isChange: boolean): Fields {
  const entries = Object.entries(map)
  if (isChange) return Object.fromEntries(entries.map(([name, value]) => [`${field}.${name}`, value]))
  const there = entries.filter(([, value]) => value !== undefined)
  return there.length > 0 ? { [field]: Object.fromEntries(there) } : {}
}

/** The changes that take parts away. */
export function withoutParts(parent: string, ids: readonly string[]): readonly Write[] {
  return ids.map((id) => ({ remove: partPath(parent, id) }))
}

/** Which texts of a document are in parts. */
export function partIdsOf({ fields }: { readonly fields: RawFields }): PartIds {
  const named = Object.entries(mapOf(fields[PARTS_FIELD]))
  return named.length === 0 ? NO_PARTS : new Map(named.map(([name, ids]) => [name, textsOf(ids)]))
}

/** The documents of an answer with the texts that are in parts, as they all were at its moment: by now, somebody may have replaced them. */
export async function wholeDocuments(
  client: Client,
  parent: string,
  { documents, readTime }: Pick<Answer, 'documents' | 'readTime'>,
  isWanted: (field: string) => boolean = () => true,
  again = READ_AGAIN_MAX
): Promise<readonly Pick<Document, 'path' | 'fields'>[]> {
  const wanted = documents.map((document) => [...partIdsOf(document)].filter(([field]) => isWanted(field)))
  const ids = wanted.flat().flatMap(([, some]) => some)
  if (ids.length === 0) return documents
  const paths = ids.map((id) => partPath(parent, id))
  const found = (await client.get(paths, { at: readTime })).documents
  const parts = new Map(found.map(({ path, fields }) => [lastOf(path), bytesOf(fields.data)]))
  const textOf = (some: readonly string[]) => unpacked(Buffer.concat(some.map((id) => parts.get(id) ?? missing(id))))
  const whole = await Promise.all(
    documents.map(async ({ path, fields }, i) => {
      const own = wanted[i] ?? []
      // The emulator may name a moment behind a write that its answer does not show.
      const isBehind = again > 0 && own.some(([, some]) => some.some((id) => !parts.has(id)))
      if (isBehind) return wholeDocuments(client, parent, await client.get([path]), isWanted, again - 1)
      const texts = own.map(async ([field, some]) => [field, await textOf(some)] as const)
      return [{ path, fields: { ...fields, ...Object.fromEntries(await Promise.all(texts)) } }]
    })
  )
  return whole.flat()
}

function missing(id: string): never {
  throw new Error(`There is no part ${id}.`)
}

function partPath(parent: string, id: string): string {
  return `${parent}/${PARTS}/${id}`
}

/**
 * Which parts the documents name that a client has read or written. A commit that replaces or deletes such a document takes its
 * parts away with it. Whoever decides about a row has read it, so what is known here is what the row has; were it not,
 * parts that nothing names would be left over until their generation is dropped, and nobody would read anything wrong.
 */
export class KnownParts {
  readonly #documents = new LRUCache<string, PartIds>({ max: KNOWN_MAX })

  of(path: string): PartIds {
    return this.#documents.get(path) ?? NO_PARTS
  }

  /** Notes what documents name that were read, with that field or without it. */
  read(documents: readonly Document[]): void {
    for (const document of documents) if (PARTS_FIELD in document.fields) this.#note(document.path, partIdsOf(document))
  }

  /** Notes what is named after these changes. */
  written(writes: readonly Write[]): void {
    for (const write of writes) {
      if ('remove' in write) this.#documents.delete(write.remove)
      else if ('update' in write) {
        const changed = Object.entries(write.fields).flatMap(([field, ids]) => {
          const [map, name = ''] = field.split('.')
          return map === PARTS_FIELD ? [[name, textsOf(ids)] as const] : []
        })
        const all = new Map([...this.of(write.update), ...changed])
        this.#note(write.update, new Map([...all].filter(([, ids]) => ids.length > 0)))
      } else this.#note('set' in write ? write.set : write.create, partIdsOf(write))
    }
  }

  #note(path: string, parts: PartIds): void {
    if (parts.size === 0) this.#documents.delete(path)
    else this.#documents.set(path, parts)
  }
}
