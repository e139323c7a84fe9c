import { strToU8, zipSync } from 'fflate'
import { writtenJson } from '../formats/json.js'
import { type CollectionTree, newNotes } from '../formats/model.js'
import { writeBruno } from './bruno.js'
import { type Exported, type ExportFormat, FILES_OF, stemOf } from './exported.js'
import { writeHar } from './har.js'
import { writeHarborClient, writeHarborClientFiles } from './harborclient.js'
import { writeOpenApi } from './openapi.js'
import { writeOpenFile, writeOpenFiles } from './opencollection/opencollection.js'
import { writePostman } from './postman.js'
import { writePostmanV3 } from './postmanV3.js'
import { jsonText } from './written.js'

/** The earliest time that an archive can name: a file says the same whenever it is made. */
const ARCHIVE_TIME = new Date(1980, 0, 1)

/** Writes a collection in a format. The same collection always gives the same bytes. */
export function writeExport(tree: CollectionTree, format: ExportFormat): Exported {
  const notes = newNotes()
  const bytes = bytesOf(tree, format, notes)
  const { ending, contentType } = FILES_OF[format]
  return { bytes, fileName: `${stemOf(tree.name)}.${ending}`, contentType, notes: notes.list() }
}

function bytesOf(tree: CollectionTree, format: ExportFormat, notes: ReturnType<typeof newNotes>): Uint8Array {
  switch (format) {
    case 'postman':
      return jsonBytes(writePostman(tree, notes))
    case 'openapi':
      return Buffer.from(`${writtenJson(writeOpenApi(tree, notes), 2)}\n`)
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
