import type { RecordRef } from '../model/records.js'
import type { Comment } from '../model/threads.js'
import { hub } from './session.js'

const PAGE = 100
/** So many pages are read at most. */
const PAGES_MOST = 3

/** What is said about a record, oldest first, and whether there is more of it. */
export interface Discussion {
  readonly comments: readonly Comment[]
  readonly isCut: boolean
}

const PATHS = {
  request: '/requests/{id}/discussions',
  folder: '/folders/{id}/discussions',
  collection: '/collections/{id}/discussions'
} as const
type DiscussedKind = keyof typeof PATHS

/** Whether people talk about records of a kind. */
export const isDiscussed = (kind: RecordRef['kind']): kind is DiscussedKind => Object.hasOwn(PATHS, kind)

export async function loadDiscussion(kind: DiscussedKind, id: string, signal: AbortSignal): Promise<Discussion> {
  const comments: Comment[] = []
  let cursor: string | undefined
  for (let page = 0; page < PAGES_MOST; page++) {
    const { body } = await hub().request('GET', PATHS[kind], { path: { id }, query: { limit: PAGE, cursor }, signal })
    comments.push(...body.comments)
    cursor = body.nextCursor
    if (cursor === undefined) break
  }
  return { comments, isCut: cursor !== undefined }
}
