import { about, type ContentOf, colour, named, type SubmittedOf, textual } from '../fields.js'

/** A document of a collection. */
export const documentFields = { name: named, content: about('The text, as Markdown.', textual('rest')), marker: colour }
export type DocumentContent = ContentOf<typeof documentFields>
export type SubmittedDocument = SubmittedOf<typeof documentFields>
