import {
  about,
  authBlock,
  type ContentOf,
  colour,
  named,
  pairs,
  type SubmittedOf,
  scripts,
  variables
} from '../fields.js'

/** A collection, beside what it holds. */
export const collectionFields = {
  name: named,
  variables,
  headers: about('Headers that all requests of the collection have.', pairs),
  auth: about('How requests of the collection say who sends them, where they do not say it themselves.', authBlock),
  ...scripts,
  marker: colour
}
export type CollectionContent = ContentOf<typeof collectionFields>
export type SubmittedCollection = SubmittedOf<typeof collectionFields>
