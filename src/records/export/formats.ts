import { strToU8, zipSync } from 'fflate'
import { writtenJson } from '../formats/json.js'
import { type Auth, type CollectionTree, itemsOf, type Notes, newNotes, placeIn } from '../formats/model.js'
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
  if (!format.startsWith('harborclient')) noteUnsent(tree, notes)
  const bytes = bytesOf(tree, format, notes)
  const { ending, contentType } = FILES_OF[format]
  return { bytes, fileName: `${stemOf(tree.name)}.${ending}`, contentType, notes: notes.list() }
}

const UNSENT = 'A body or credentials that are kept and not sent are left out.'

/** Tells of what formats of others have no place for: they hold what is sent. */
function noteUnsent({ settings, items }: CollectionTree, notes: Notes): void {
  if (keepsOthers(settings.auth)) notes.add(placeIn([]), UNSENT)
  for (const { item, path } of itemsOf(items)) {
    if (item.kind !== 'request') continue
    const { name, auth, body, bodyType } = item.content
    if (keepsOthers(auth) || (bodyType === 'none' && body !== '')) notes.add(placeIn([...path, name]), UNSENT)
  }
}

/** True where there are credentials of an authentication that is not chosen. */
const keepsOthers = ({ type, basic, bearer }: Auth): boolean =>
  (type !== 'basic' && basic.username + basic.password !== '') || (type !== 'bearer' && bearer.token !== '')

function bytesOf(tree: CollectionTree, format: ExportFormat, notes: Notes): Uint8Array {
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
