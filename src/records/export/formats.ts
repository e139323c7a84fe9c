import { strToU8, zipSync } from 'fflate'
import { type CollectionTree, type Note, newNotes } from '../formats/model.js'
import { writeBruno } from './bruno.js'
import { writeHar } from './har.js'
import { jsonText, writeHarborClient, writeHarborClientFiles } from './harborclient.js'
import { writeOpenApi } from './openapi.js'
import { writeOpenFile, writeOpenFiles } from './opencollection/opencollection.js'
import { writePostman } from './postman.js'
import { writePostmanV3 } from './postmanV3.js'

/** What a collection can be exported as. */
export const EXPORT_FORMATS = [
  'postman',
  'postman-v3',
  'openapi',
  'bruno',
  'opencollection',
  'opencollection-file',
  'har',
  'harborclient',
  'harborclient-git'
] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

/** A collection as a file of another tool, and what that format has no place for. */
export interface Exported {
  readonly bytes: Uint8Array
  readonly fileName: string
  readonly contentType: string
  readonly notes: readonly Note[]
}

const JSON_TYPE = 'application/json; charset=utf-8'
const ZIP_TYPE = 'application/zip'

/** How files of a format are named, and of which type they are. */
const KINDS: Readonly<Record<ExportFormat, { readonly ending: string; readonly contentType: string }>> = {
  postman: { ending: 'postman_collection.json', contentType: JSON_TYPE },
  'postman-v3': { ending: 'postman.zip', contentType: ZIP_TYPE },
  openapi: { ending: 'openapi.json', contentType: JSON_TYPE },
  bruno: { ending: 'bruno.zip', contentType: ZIP_TYPE },
  opencollection: { ending: 'opencollection.zip', contentType: ZIP_TYPE },
  'opencollection-file': { ending: 'opencollection.yml', contentType: 'application/yaml; charset=utf-8' },
  har: { ending: 'har', contentType: JSON_TYPE },
  harborclient: { ending: 'harborclient.json', contentType: JSON_TYPE },
  'harborclient-git': { ending: 'harborclient.zip', contentType: ZIP_TYPE }
}

/** True for formats whose files are archives. */
export const isArchive = (format: ExportFormat): boolean => KINDS[format].contentType === ZIP_TYPE

/** The earliest time that an archive can name: a file says the same whenever it is made. */
const ARCHIVE_TIME = new Date(1980, 0, 1)

/** Writes a collection in a format. The same collection always gives the same bytes. */
export function writeExport(tree: CollectionTree, format: ExportFormat): Exported {
  const notes = newNotes()
  const bytes = bytesOf(tree, format, notes)
  const { ending, contentType } = KINDS[format]
  return { bytes, fileName: `${stemOf(tree.name)}.${ending}`, contentType, notes: notes.list() }
}

function bytesOf(tree: CollectionTree, format: ExportFormat, notes: ReturnType<typeof newNotes>): Uint8Array {
  switch (format) {
    case 'postman':
      return jsonBytes(writePostman(tree, notes))
    case 'openapi':
      return jsonBytes(writeOpenApi(tree, notes))
    case 'har':
      return jsonBytes(writeHar(tree, notes))
    case 'harborclient':
      return jsonBytes(writeHarborClient(tree, notes))
    case 'harborclient-git':
      return zipOf(writeHarborClientFiles(tree, notes))
    case 'opencollection-file':
      return Buffer.from(writeOpenFile(tree, notes))
    case 'postman-v3':
      return zipOf(writePostmanV3(tree, notes))
    case 'bruno':
      return zipOf(writeBruno(tree, notes))
    case 'opencollection':
      return zipOf(writeOpenFiles(tree, notes))
  }
}

function zipOf(files: ReadonlyMap<string, string>): Uint8Array {
  const packed = [...files].map(([path, text]) => [path, strToU8(text)] as const)
  return zipSync(Object.fromEntries(packed), { mtime: ARCHIVE_TIME })
}

const jsonBytes = (value: object): Uint8Array => Buffer.from(jsonText(value))

/** The name of a record as part of a file's name: of letters, digits and little else, wherever it is read. */
export function stemOf(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '')
  return (
    plain
      .replace(/[^A-Za-z0-9._-]+/g, '-')
      .replace(/^[-.]+|[-.]+$/g, '')
      .slice(0, 80) || 'collection'
  )
}
