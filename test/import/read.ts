import type { CollectionTree } from '../../src/records/formats/model.js'
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
