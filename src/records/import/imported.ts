import type { ImportBounds } from '../../config/importBounds.js'
import { errors } from '../../errors.js'
import type { CollectionTree, EnvironmentOfFile, Note } from '../formats/model.js'
import type { FilePart } from './parts.js'

/** What can be imported. */
export const IMPORT_FORMATS = [
  'postman',
  'postman-v3',
  'openapi',
  'insomnia',
  'bruno',
  'opencollection',
  'har',
  'curl',
  'harborclient'
] as const
export type ImportFormat = (typeof IMPORT_FORMATS)[number]

/** One of the things that a file brings, as clients choose it. */
export type Part = Pick<FilePart, 'id' | 'name' | 'brings' | 'format'>

/** What a file was read as, and what of it cannot be carried over. `tree` is null for environments alone. */
export interface Imported {
  readonly format: ImportFormat
  readonly tree: CollectionTree | null
  readonly environments: readonly EnvironmentOfFile[]
  readonly notes: readonly Note[]
  /** Everything that is in the file, and which of it was read. */
  readonly parts: readonly Part[]
  readonly part: string
}

/** How a file is to be read; what is left out is told from its content. */
export interface ReadOptions {
  readonly format?: ImportFormat | undefined
  /** Which of the things that it brings; the first one where none is named. */
  readonly part?: string | undefined
  /** How large it may be. */
  readonly bounds?: ImportBounds | undefined
}

/** Refuses a file of which it is not said which of several things it brings is meant. */
export function requireOnePart({ parts }: Pick<Imported, 'parts'>): void {
  if (parts.length > 1) throw errors.importPartWanted(parts.length)
}
