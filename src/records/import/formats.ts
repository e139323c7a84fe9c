import { errors } from '../../errors.js'
import { type CollectionTree, type Note, type Notes, newNotes } from '../formats/model.js'
import { brunoOfFiles } from './bruFiles.js'
import { isBruno, readBruno } from './bruno.js'
import { isCurl, readCurl } from './curl.js'
import { fitted } from './fit.js'
import { isHar, readHar } from './har.js'
import { isInsomnia, readInsomnia } from './insomnia.js'
import { isOpenApi, readOpenApi } from './openapi/openapi.js'
import type { ReadSource } from './parts.js'
import { isPostman, readPostman } from './postman.js'
import { parsedValue, textOf } from './values.js'
import { filesIn, isZip } from './zip.js'

/** What can be imported. */
export const IMPORT_FORMATS = ['postman', 'openapi', 'insomnia', 'bruno', 'har', 'curl'] as const
export type ImportFormat = (typeof IMPORT_FORMATS)[number]

/** What a file was read as, and what of it cannot be carried over. */
export interface Imported {
  readonly format: ImportFormat
  readonly tree: CollectionTree
  readonly notes: readonly Note[]
}

interface ValueFormat {
  readonly is: (value: unknown) => boolean
  readonly read: (value: unknown, notes: Notes) => ReadSource
}

const VALUE_FORMATS: Readonly<Record<Exclude<ImportFormat, 'curl'>, ValueFormat>> = {
  postman: { is: isPostman, read: readPostman },
  openapi: { is: isOpenApi, read: readOpenApi },
  insomnia: { is: isInsomnia, read: readInsomnia },
  har: { is: isHar, read: readHar },
  bruno: { is: isBruno, read: readBruno }
}

/**
 * Reads a file of any of the formats; without `format`, of the one that it looks like. Pure: nothing that the file names is
 * opened or fetched. Refuses what it cannot read with 400, and what is more than the limits with 413.
 */
export function readImport(bytes: Uint8Array, format?: ImportFormat): Imported {
  const notes = newNotes()
  const done = (format: ImportFormat, source: ReadSource): Imported => {
    const tree = fitted(source, notes)
    return { format, tree, notes: notes.list() }
  }
  if (isZip(bytes)) {
    if (format !== undefined && format !== 'bruno')
      throw errors.importUnreadable(`it is a zip archive, and no ${format}.`)
    return done('bruno', readBruno(brunoOfFiles(filesIn(bytes), notes), notes))
  }
  const text = textOf(bytes)
  if (text.trim() === '') throw errors.importUnreadable('it is empty.')
  const isValue = /^\s*[[{]/.test(text) || /^[ \t]*["']?(openapi|swagger|type|info|_type|log)["']?[ \t]*:/m.test(text)
  if (format === 'curl' || (format === undefined && !isValue && isCurl(text)))
    return done('curl', readCurl(text, notes))
  const value = parsedValue(text)
  const found = format ?? formatOf(value)
  if (!found) throw errors.importFormatUnknown(IMPORT_FORMATS)
  const { is, read } = VALUE_FORMATS[found]
  if (!is(value)) throw errors.importUnreadable(`it does not look like ${found}.`)
  return done(found, read(value, notes))
}

function formatOf(value: unknown): Exclude<ImportFormat, 'curl'> | null {
  const named = IMPORT_FORMATS.filter((one) => one !== 'curl')
  return named.find((one) => VALUE_FORMATS[one].is(value)) ?? null
}
