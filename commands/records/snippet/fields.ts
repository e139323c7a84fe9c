import { z } from 'zod'
import { type ContentOf, choice, defaulted, field, named, type SubmittedOf, textual } from '../fields.js'

export const SCOPES = ['pre-request', 'post-request', 'any'] as const

export const snippetFields = {
  name: named,
  code: defaulted(textual('rest'), ''),
  scope: defaulted(choice(SCOPES), 'any'),
  /** A new one stands behind the last, and stays there where clients leave it out. */
  sortOrder: field(z.number(), z.int32().optional())
}
export type SnippetContent = ContentOf<typeof snippetFields>
export type SubmittedSnippet = SubmittedOf<typeof snippetFields>
