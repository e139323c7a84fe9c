import { z } from 'zod'
import { about, type ContentOf, choice, defaulted, field, named, type SubmittedOf, textual } from '../fields.js'

export const SCOPES = ['pre-request', 'post-request', 'any'] as const

export const snippetFields = {
  name: named,
  code: about('The JavaScript.', defaulted(textual('rest'), '')),
  scope: about(
    'Where clients offer it: in scripts before a request, after it, or both.',
    defaulted(choice(SCOPES), 'any')
  ),
  /** A new one stands behind the last, and stays there where clients leave it out. */
  sortOrder: about(
    'Where it stands among the snippets: lower numbers first. Left out, it stays where it is.',
    field(z.number(), z.int32().optional())
  )
}
export type SnippetContent = ContentOf<typeof snippetFields>
export type SubmittedSnippet = SubmittedOf<typeof snippetFields>
