import { authBlock, type ContentOf, colour, named, pairs, type SubmittedOf, textual, variables } from '../fields.js'

/** A collection, beside what it holds. */
export const collectionFields = {
  name: named,
  variables,
  headers: pairs,
  auth: authBlock,
  preRequestScript: textual('rest'),
  postRequestScript: textual('rest'),
  marker: colour
}
export type CollectionContent = ContentOf<typeof collectionFields>
export type SubmittedCollection = SubmittedOf<typeof collectionFields>
