import type { AnswerOf, OperationOf } from '@collections-hub/client'
import { counted } from './numbers.js'

/** What an import does, or would do. */
export type ImportReport = AnswerOf<OperationOf<'/collections/import', 'POST'>>
export type PlannedChange = ImportReport['changes'][number]
export type Note = ImportReport['notes'][number]

export const FORMAT_NAMES: Readonly<Record<ImportReport['format'], string>> = {
  postman: 'Postman',
  openapi: 'OpenAPI',
  insomnia: 'Insomnia',
  bruno: 'Bruno',
  har: 'an HTTP Archive',
  curl: 'curl commands'
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
export function doesAnything({ collection, counts }: ImportReport): boolean {
  return collection.id === null || counts.created + counts.updated + counts.deleted > 0
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
  const told = parts.filter(([value]) => value > 0).map(([value, word]) => `${value.toLocaleString()} ${word}`)
  return told.length === 0 ? 'nothing is in it' : told.join(', ')
}

/** How often something is said of a file that could not be carried over, and where: the first places and how many more. */
export function placesOf({ count, places }: Note): string {
  const more = count - places.length
  if (places.length === 0) return counted(count, 'time')
  return more > 0 ? `${places.join('; ')}; and ${counted(more, 'more place')}` : places.join('; ')
}
