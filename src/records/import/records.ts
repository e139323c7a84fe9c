import { createHash } from 'node:crypto'
import { z } from 'zod'
import { namesIn } from '../../../commands/keys.js'
import { itemPositionOf } from '../../../commands/records/kind.js'
import type { Row } from '../../storage/storage.js'
import type { CollectionTree, Item, RequestFields } from '../formats/model.js'
import type { Held } from './found.js'
import type { ImportFormat } from './imported.js'

interface Placed {
  readonly id: string
  /** The folder that it is in, null at the root. */
  readonly parentId: string | null
  readonly name: string
  /** The names of the folders that it is in. */
  readonly path: readonly string[]
}

/** A record that a file brings, with the id that it has in its collection. */
export type ImportRecord = Placed &
  (
    | { readonly kind: 'folder' }
    | { readonly kind: 'request'; readonly content: RequestFields }
    | { readonly kind: 'document'; readonly content: { readonly name: string; readonly content: string } }
  )

/** What a file is one of in a collection: its next export is the same source. */
export function sourceIdIn(collectionId: string, format: ImportFormat, { sourceId, name }: CollectionTree): string {
  return uuidOf([collectionId, format, sourceId ?? name])
}

/**
 * The records of a tree, folders before what is in them. An id is made of that of the source and of what the source calls the
 * record by, or else of its path: so the next file of the source brings the same ids. A record that the file itself calls by an
 * id of the collection, as an export of the hub does, is that one, and so is a document of the same name in the same place,
 * since most formats have none and know descriptions and examples instead.
 */
export function* recordsOf(source: string, { items }: CollectionTree, there: Held): Generator<ImportRecord, void> {
  const used = new Set<string>()
  /** How many records before have been called as one is. */
  const counts = new Map<string, number>()
  const documents = documentsAmong(there)
  const idOf = (item: Item, parentId: string | null): string => {
    const { kind, sourceId } = item
    const isFree = (id: string | null | undefined): id is string => typeof id === 'string' && !used.has(id)
    const taken = (id: string) => {
      used.add(id)
      return id
    }
    if (isFree(sourceId) && there.get(sourceId)?.kind === kind) return taken(sourceId)
    const key = sourceId === null ? [parentId, nameOf(item)] : [sourceId]
    const called = JSON.stringify([kind, ...key])
    let count = counts.get(called) ?? 0
    let id = uuidOf([source, kind, ...key, count])
    while (used.has(id)) id = uuidOf([source, kind, ...key, ++count])
    counts.set(called, count)
    const named = kind === 'document' && !there.has(id) ? documents.get(keyOf(parentId, nameOf(item))) : undefined
    return taken(isFree(named) ? named : id)
  }
  function* placedIn(
    items: readonly Item[],
    parentId: string | null,
    path: readonly string[]
  ): Generator<ImportRecord, void> {
    for (const item of items) {
      const name = nameOf(item)
      const placed = { id: idOf(item, parentId), parentId, name, path }
      if (item.kind === 'folder') {
        yield { kind: 'folder', ...placed }
        yield* placedIn(item.items, placed.id, [...path, name])
      } else if (item.kind === 'request') yield { kind: 'request', ...placed, content: item.content }
      else yield { kind: 'document', ...placed, content: { name, content: item.content } }
    }
  }
  yield* placedIn(items, null, [])
}

/** The documents of a collection by where they are and what they are called; of several the first. */
function documentsAmong(there: Held): ReadonlyMap<string, string> {
  const documents = [...there.values()].filter(({ kind }) => kind === 'document')
  return new Map(
    documents.toReversed().map(({ row }) => [keyOf(itemPositionOf(row).inside, namesIn(sortKeyOf(row)).name), row.id])
  )
}

const keyOf = (parentId: string | null, name: string) => JSON.stringify([parentId, name])
const sortKeyOf = (row: Row) => z.object({ sortKey: z.string() }).parse(row).sortKey

const nameOf = (item: Item): string => (item.kind === 'request' ? item.content.name : item.name)

/** A UUID (version 8, RFC 9562) that is always the same for these. */
export function uuidOf(parts: readonly (string | number | null)[]): string {
  const bytes = createHash('sha256').update(JSON.stringify(parts)).digest().subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
