/** Notices tell of what happened within so many days. */
export const NOTICE_DAYS = 30

/** The events that notices tell of, by the list of the board that they go to, and those by which an older hub's records came. */
export const NEWS = {
  saved: { happened: 'RequestUpdated', imported: 'RequestImported' },
  runs: { happened: 'RunResultShared', imported: 'RunResultImported' },
  comments: { happened: 'CommentWritten', imported: 'CommentImported' }
} as const
export type NewsList = keyof typeof NEWS

/** The events of records of an older hub: what they tell of happened when and by whom the record says. */
export const IMPORTED_NEWS: readonly string[] = Object.values(NEWS).map(({ imported }) => imported)
