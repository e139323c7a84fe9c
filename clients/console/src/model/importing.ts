import type { AnswerOf, OperationOf } from '@collections-hub/client'
import { count, counted } from './numbers.js'
import { isKind, KINDS, wordFor } from './records.js'
import { listed } from './words.js'

/** What an import does, or would do. */
export type ImportReport = AnswerOf<OperationOf<'/collections/import', 'POST'>>
export type PlannedChange = ImportReport['changes'][number]
export type Note = ImportReport['notes'][number]

/** What a file is read as: by its content, or where that does not tell by choice. */
export const FORMATS: readonly { readonly value: ImportReport['format']; readonly label: string }[] = [
  { value: 'postman', label: 'Postman' },
  { value: 'postman-v3', label: 'Postman 3.0 (a zip archive of a directory)' },
  { value: 'openapi', label: 'OpenAPI or Swagger' },
  { value: 'insomnia', label: 'Insomnia' },
  { value: 'bruno', label: 'Bruno' },
  { value: 'opencollection', label: 'OpenCollection' },
  { value: 'har', label: 'HTTP Archive' },
  { value: 'curl', label: 'curl commands' },
  { value: 'harborclient', label: 'HarborClient' }
]

/** What people call the format that a file was read as. */
export const formatName = (format: ImportReport['format']): string =>
  FORMATS.find(({ value }) => value === format)?.label ?? format

/** So many files and folders that come together are gone through one after another. */
export const TOGETHER_MOST = 50

/** Says how many more came together with a file, and how many of them are left out. */
export function togetherWith(waiting: number, leftOut: number): string {
  const said = [
    ...(waiting > 0 ? [`${count(waiting)} more came with it: each has its turn when this one is done.`] : []),
    ...(leftOut > 0 ? [`${count(leftOut)} beyond ${TOGETHER_MOST} ${leftOut === 1 ? 'is' : 'are'} left out.`] : [])
  ]
  return said.join(' ')
}

/** So much of a folder is taken, and so many files are looked at: more than a hub reads by default, or takes in a request. */
export const FOLDER_MOST = { looked: 50_000, files: 5000, bytes: 64_000_000 } as const

/** Whether an import looks into a file of a folder at all. */
export const isReadByImport = (path: string): boolean => /\.(bru|json|md|markdown|ya?ml|js)$/i.test(path)

interface FolderTaken {
  readonly taken: number
  /** Files of other kinds, and folders that are not looked into. */
  readonly others: number
  readonly isCut: boolean
}

/** What is left out of a folder, in sentences. */
export function leftOutOfFolder({ taken, others, isCut }: FolderTaken): readonly string[] {
  return [
    ...(isCut
      ? [
          `It is more than the console takes of a folder: behind the first ${counted(taken, 'file')} the rest is left out.`
        ]
      : []),
    ...(others > 0
      ? [
          `${counted(others, 'file or hidden folder', 'files and hidden folders')} in it ${others === 1 ? 'is' : 'are'} of no kind that an import reads.`
        ]
      : [])
  ]
}

/** Whether a refusal says that the content of a file does not tell its format. */
export const isUnknownFormat = (refusal: string): boolean =>
  refusal.startsWith('The file is of no format that can be told')

/** What an import has done, in a sentence: into which collection, or that it made environments. */
export function doneOf(report: ImportReport): string {
  const what = report.brings === 'environments' ? 'environments' : `into ${report.collection.name}`
  return `Imported ${what}: ${summaryOf(report)}.`
}

/** What becomes of a record, in a word. */
export const CHANGE_WORDS: Readonly<Record<PlannedChange['change'], string>> = {
  create: 'New',
  update: 'Changed',
  delete: 'Deleted',
  conflict: 'Kept',
  gone: 'Stays away'
}

/** Whether an import has anything to do: a new collection always is. */
export function doesAnything({ brings, collection, counts }: ImportReport): boolean {
  return (brings === 'collection' && collection.id === null) || counts.created + counts.updated + counts.deleted > 0
}

/** What an import does to what is in the collection, in a sentence without its end: `12 new, 3 changed`. */
export function summaryOf({ changes, counts }: Pick<ImportReport, 'changes' | 'counts'>): string {
  const { updated, deleted, unchanged, conflicts, gone } = counts
  const parts = [
    // A collection that is made counts too, and is not listed.
    [changes.filter(({ change }) => change === 'create').length, 'new'],
    [updated, 'changed'],
    [deleted, 'deleted'],
    [conflicts, 'kept as changed here'],
    [gone, 'deleted here before'],
    [unchanged, 'as before']
  ] as const
  const told = parts.filter(([value]) => value > 0).map(([value, word]) => `${count(value)} ${word}`)
  return told.length === 0 ? 'nothing is in it' : told.join(', ')
}

/** How often something is said of a file that could not be carried over, and where: the first places and how many more. */
export function placesOf({ count, places }: Note): string {
  const more = count - places.length
  if (places.length === 0) return counted(count, 'time')
  return more > 0 ? `${places.join('; ')}; and ${counted(more, 'more place')}` : places.join('; ')
}

/** What a record can be saved as, as people know it, the usual one first. */
export const EXPORTS = {
  collection: [
    { value: 'postman', label: 'Postman 2.1' },
    { value: 'postman-v3', label: 'Postman 3.0 (a zip archive of a directory)' },
    { value: 'openapi', label: 'OpenAPI 3.1' },
    { value: 'opencollection', label: 'OpenCollection, for Bruno from 3.1 on (a zip archive)' },
    { value: 'opencollection-file', label: 'OpenCollection in one file' },
    { value: 'bruno', label: 'Bruno before 3.1 (a zip archive of .bru files)' },
    { value: 'har', label: 'HTTP Archive' },
    { value: 'harborclient', label: 'HarborClient' },
    { value: 'harborclient-git', label: 'HarborClient in a repository (a zip archive)' }
  ],
  environment: [
    { value: 'postman', label: 'Postman' },
    { value: 'insomnia', label: 'Insomnia 5' },
    { value: 'bruno', label: 'Bruno (a .bru file)' },
    { value: 'opencollection', label: 'OpenCollection' },
    { value: 'harborclient', label: 'HarborClient' }
  ]
} as const

export type ExportedKind = keyof typeof EXPORTS
export type ExportFormat = (typeof EXPORTS)[ExportedKind][number]['value']

/** What would be saved. */
export interface ExportPreview {
  readonly fileName: string
  readonly bytes: number
  readonly notes: readonly Note[]
}

/** Whether an answer of the hub is a preview: the same route answers files of any content. */
export function isExportPreview(answer: unknown): answer is ExportPreview {
  if (typeof answer !== 'object' || answer === null) return false
  const { fileName, bytes, notes } = answer as Partial<Record<keyof ExportPreview, unknown>>
  return typeof fileName === 'string' && typeof bytes === 'number' && Array.isArray(notes)
}

/** By kind. */
type Counts = Readonly<Record<string, number | undefined>>

const ORDER = Object.keys(KINDS).filter(isKind)

/** How many records of each kind, as people say it: `2 folders and 1 request`; an empty text where there is none. */
export function recordsCounted(counts: Counts): string {
  const parts = ORDER.flatMap((kind) => {
    const many = counts[kind] ?? 0
    return many === 0 ? [] : [counted(many, wordFor(kind))]
  })
  return listed(parts)
}

/** Says that something is there again, and what has come with it. */
export function isBack(kind: string, name: string, restored: Counts): string {
  const others = recordsCounted({ ...restored, [kind]: (restored[kind] ?? 1) - 1 })
  return `“${name}” is back${others === '' ? '' : `, with ${others}`}.`
}
