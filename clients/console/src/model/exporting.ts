import type { Note } from './importing.js'

export type ExportFormat = 'postman' | 'openapi' | 'bruno' | 'har'

/** What a collection can be saved as, as people know it. */
export const EXPORTS: readonly { readonly value: ExportFormat; readonly label: string }[] = [
  { value: 'postman', label: 'Postman 2.1' },
  { value: 'openapi', label: 'OpenAPI 3.1' },
  { value: 'bruno', label: 'Bruno (a zip archive)' },
  { value: 'har', label: 'HTTP Archive' }
]

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
