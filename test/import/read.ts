import { type CollectionTree, itemsOf, type RequestFields, type Variable } from '../../src/records/formats/model.js'
import { readImport } from '../../src/records/import/formats.js'
import type { Imported, ImportFormat } from '../../src/records/import/imported.js'

/** A file that was read as a collection. */
export interface CollectionRead extends Imported {
  readonly tree: CollectionTree
}

/** Reads a file that is a collection; throws where it is none. */
export function readCollection(bytes: Uint8Array, format?: ImportFormat): CollectionRead {
  const imported = readImport(bytes, { format })
  const { tree } = imported
  if (!tree) throw new Error('There is no collection in it.')
  return { ...imported, tree }
}

/** Where each thing of a collection stands, and what it is. */
export function outline({ items }: CollectionTree): readonly string[] {
  return [...itemsOf(items)].map(({ item, path }) => {
    const name = item.kind === 'request' ? `${item.content.method} ${item.content.name}` : item.name
    return [...path, name].join(' / ')
  })
}

/** The requests of a collection, in its order. */
export function requestsIn({ items }: CollectionTree): readonly RequestFields[] {
  return [...itemsOf(items)].flatMap(({ item }) => (item.kind === 'request' ? [item.content] : []))
}

/** The request of this name. */
export function requestIn(tree: CollectionTree, name: string): RequestFields {
  const found = requestsIn(tree).find((one) => one.name === name)
  if (!found) throw new Error(`There is no request ${name}.`)
  return found
}

/** The text of the document of this name. */
export function documentIn({ items }: CollectionTree, name: string): string {
  for (const { item } of itemsOf(items)) if (item.kind === 'document' && item.name === name) return item.content
  throw new Error(`There is no document ${name}.`)
}

/** What variables say: `~` is off, `*` is kept from others. */
export function valuesOf(variables: readonly Variable[]): readonly string[] {
  return variables.map(({ key, value, share, enabled }) => `${enabled ? '' : '~'}${key}${share ? '' : '*'}=${value}`)
}

/** What is told of a file that was read or written, without where. */
export function whats({ notes }: Pick<Imported, 'notes'>): readonly string[] {
  return notes.map(({ what }) => what)
}

/** A row of a list, and one that is switched off. */
export const on = (key: string, value: string) => ({ key, value, enabled: true })
export const off = (key: string, value: string) => ({ key, value, enabled: false })
