import type { Discussed } from '../../../commands/talk/comment/events.js'

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

/** Where a thing stands that somebody may be told of: what opens it is its collection; null for what every user may see. */
export interface Location {
  readonly collectionId: string | null
  readonly folderId: string | null
  /** The collection that a run result names as its own, which tokens that are limited to collections go by. */
  readonly ranIn?: string | null
}

/** Since when accounts take part in a discussion, by their ids, as ISO 8601. */
export type TakingPart = ReadonlyMap<string, string>

interface News {
  /** The position of its event. */
  readonly position: number
  readonly at: string
  readonly actorId: string
  readonly target: Discussed
  readonly place: Location
}

/** Somebody has saved a request. */
export interface RequestSaved extends News {
  readonly is: 'requestSaved'
}

/** Somebody has shared the results of a run. */
export interface RunShared extends News {
  readonly is: 'runShared'
  readonly hasFailed: boolean
}

/** Somebody has commented on something, or answered a comment. */
export interface Commented extends News {
  readonly is: 'commented'
  readonly commentId: string
  /** The comment that the thread begins with; the comment itself where it begins one. */
  readonly rootId: string
  readonly mentions: ReadonlySet<string>
  /** Who has written in the thread or was mentioned in it. */
  readonly inThread: TakingPart
  /** The same of all threads about the target. */
  readonly inDiscussion: TakingPart
}

export type NewsItem = RequestSaved | RunShared | Commented

/** What is told of one record: of a request that several have saved, the last time of each, newest first. */
export interface RecordNews {
  readonly newest: number
  readonly all: readonly NewsItem[]
}

/** An event that may be told of, and the id of its record. */
export interface NewsEvent {
  readonly id: string
  /** True where it happened in an older hub, and when and by whom its record says. */
  readonly isImported: boolean
  readonly position: number
  readonly at: string
  readonly actorId: string
}
