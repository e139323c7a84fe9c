import { strToU8, zipSync } from 'fflate'
import { type CollectionTree, type Note, newNotes } from '../formats/model.js'
import { writeBruno } from './bruno.js'
import { writeHar } from './har.js'
import { writeOpenApi } from './openapi.js'
import { writePostman } from './postman.js'

/** What a collection can be exported as. */
export const EXPORT_FORMATS = ['postman', 'openapi', 'bruno', 'har'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

/** A collection as a file of another tool, and what that format has no place for. */
export interface Exported {
  readonly bytes: Uint8Array
  readonly fileName: string
  readonly contentType: string
  readonly notes: readonly Note[]
}

const ENDINGS: Readonly<Record<ExportFormat, string>> = {
  postman: 'postman_collection.json',
  openapi: 'openapi.json',
  bruno: 'bruno.zip',
  har: 'har'
}

/** The earliest time that an archive can name: a file says the same whenever it is made. */
const ARCHIVE_TIME = new Date(1980, 0, 1)

/** Writes a collection in a format. The same collection always gives the same bytes. */
export function writeExport(tree: CollectionTree, format: ExportFormat): Exported {
  const notes = newNotes()
  const bytes = bytesOf(tree, format, notes)
  const contentType = format === 'bruno' ? 'application/zip' : 'application/json; charset=utf-8'
  return { bytes, fileName: `${stemOf(tree.name)}.${ENDINGS[format]}`, contentType, notes: notes.list() }
}

function bytesOf(tree: CollectionTree, format: ExportFormat, notes: ReturnType<typeof newNotes>): Uint8Array {
  switch (format) {
    case 'postman':
      return jsonBytes(writePostman(tree, notes))
    case 'openapi':
      return jsonBytes(writeOpenApi(tree, notes))
    case 'har':
      return jsonBytes(writeHar(tree, notes))
    case 'bruno': {
      const files = [...writeBruno(tree, notes)].map(([path, text]) => [path, strToU8(text)] as const)
      return zipSync(Object.fromEntries(files), { mtime: ARCHIVE_TIME })
    }
  }
}

const jsonBytes = (value: object): Uint8Array => Buffer.from(`${JSON.stringify(value, null, 2)}\n`)

/** The name of a collection as part of a file's name: of letters, digits and little else, wherever it is read. */
function stemOf(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '')
  return (
    plain
      .replace(/[^A-Za-z0-9._-]+/g, '-')
      .replace(/^[-.]+|[-.]+$/g, '')
      .slice(0, 80) || 'collection'
  )
}
