import type { Note } from '../formats/model.js'

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

/** What an environment can be exported as. */
export const ENVIRONMENT_FORMATS = ['postman', 'insomnia', 'bruno', 'opencollection', 'harborclient'] as const
export type EnvironmentFormat = (typeof ENVIRONMENT_FORMATS)[number]

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
export const FILES_OF: Readonly<Record<ExportFormat, { readonly ending: string; readonly contentType: string }>> = {
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
export const isArchive = (format: ExportFormat): boolean => FILES_OF[format].contentType === ZIP_TYPE

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
