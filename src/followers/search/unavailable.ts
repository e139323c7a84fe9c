/** The search index of this process cannot be used, though the database can: the message says why. */
export class IndexUnavailable extends Error {
  override readonly name = 'IndexUnavailable'
}
