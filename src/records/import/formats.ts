import { type ImportBounds, USUAL_BOUNDS } from '../../config/importBounds.js'
import { errors } from '../../errors.js'
import { newNotes } from '../formats/model.js'
import { archiveOf } from './archive.js'
import { isBruRequest } from './bruFiles.js'
import { isCurl, readCurl } from './curl.js'
import { isBruEnvironment, readBruEnvironment } from './environments/bruno.js'
import { fitted, fittedEnvironments } from './fit.js'
import { IMPORT_FORMATS, type Imported, type ImportFormat, type ReadOptions } from './imported.js'
import { fields, textOrNull } from './loose.js'
import { type FilePart, OF_NO_FORMAT } from './parts.js'
import { partsOfValue, together } from './valueFormats.js'
import { parsedValue, textOf } from './values.js'
import { filesIn, isZip } from './zip.js'

/**
 * Reads a file of any of the formats. Pure: nothing that the file names is opened or fetched. Refuses what it cannot read with 400,
 * and what is more than the limits with 413.
 */
export function readImport(bytes: Uint8Array, options: ReadOptions = {}): Imported {
  const { format, part: wanted, bounds = USUAL_BOUNDS } = options
  const { parts, unknown } = isZip(bytes)
    ? partsOfArchive(bytes, format, bounds)
    : partsOfText(textOf(bytes), format, bounds)
  const part = wanted === undefined ? parts[0] : parts.find(({ id }) => id === wanted)
  if (!part) throw errors.importUnreadable('the part of it that is named is not there.')
  const notes = newNotes()
  const { source, environments } = part.read(notes)
  for (const path of unknown) notes.add(path, OF_NO_FORMAT)
  return {
    format: part.format,
    tree: source && fitted(source, notes, bounds),
    environments: fittedEnvironments(environments, notes, bounds),
    notes: notes.list(),
    parts: parts.map(({ id, name, brings, format }) => ({ id, name, brings, format })),
    part: part.id
  }
}

interface Parts {
  readonly parts: readonly FilePart[]
  readonly unknown: readonly string[]
}

function partsOfArchive(bytes: Uint8Array, format: ImportFormat | undefined, bounds: ImportBounds): Parts {
  const { parts, unknown } = archiveOf(filesIn(bytes, bounds), bounds)
  const wanted = parts.filter((one) => format === undefined || one.format === format)
  if (wanted.length === 0)
    throw errors.importUnreadable(`nothing in the archive is of ${format ?? 'a format that is known'}.`)
  return { parts: wanted, unknown }
}

function partsOfText(text: string, format: ImportFormat | undefined, bounds: ImportBounds): Parts {
  if (text.trim() === '') throw errors.importUnreadable('it is empty. Save it anew where it comes from.')
  if (isBruEnvironment(text) && (format ?? 'bruno') === 'bruno') return { parts: [bruEnvironment(text)], unknown: [] }
  if (isBruRequest(text) && (format ?? 'bruno') === 'bruno') return archiveOf(new Map([['request.bru', text]]), bounds)
  const isValue = /^\s*[[{]/.test(text) || VALUE_KEY.test(text)
  if (format === 'curl' || (format === undefined && !isValue && isCurl(text)))
    return { parts: [curlPart(text)], unknown: [] }
  const value = parsedValue(text, bounds)
  const parts = together(partsOfValue(value, format))
  if (parts.length > 0) return { parts, unknown: [] }
  const ofDesktop = textOrNull(fields(value).harborclientExport)
  if (ofDesktop !== null) throw errors.importUnreadable(whyNotOfDesktop(ofDesktop))
  throw format === undefined
    ? errors.importFormatUnknown(IMPORT_FORMATS)
    : errors.importUnreadable(`it does not look like ${format}.`)
}

/** So much of what a file says of itself is repeated. */
const SAID_MOST = 60

/** Why a file that the desktop has exported is not imported, by what it says it is: only results of runs have a place here. */
const whyNotOfDesktop = (kind: string): string =>
  kind.endsWith('run-results')
    ? 'it holds the results of a run, and those are shared: POST /run-results.'
    : `it says that it is an export “${kind.slice(0, SAID_MOST)}” of the desktop, which the desktop's own import reads. What can be imported here: ${IMPORT_FORMATS.join(', ')}.`

/** A key by which a text is YAML, though a command that calls curl may stand in it. */
const VALUE_KEY = /^[ \t]*["']?(openapi|swagger|type|info|_type|log|opencollection)["']?[ \t]*:/m

const curlPart = (text: string): FilePart => ({
  ...{ id: 'file', name: '', format: 'curl', brings: 'collection' },
  read: (notes) => ({ source: readCurl(text, notes), environments: [] })
})

const bruEnvironment = (text: string): FilePart => ({
  ...{ id: 'file', name: 'Environment', format: 'bruno', brings: 'environments' },
  read: (notes) => ({ source: null, environments: [readBruEnvironment('Environment', text, notes)] })
})
