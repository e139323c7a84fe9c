import type { Comment } from '../model/notices.js'
import { catalog } from './catalog.js'
import { knownOf } from './loaded.js'
import { mayShare } from './records.js'
import { ask, identity } from './session.js'

/** So many comments are shown, and so many more each time that somebody asks. */
export const COMMENTS_SHOWN = 300
const COMMENTS_PAGE = 100

/** Where people talk about things of a kind. */
export const DISCUSSIONS = {
  request: '/requests/{id}/discussions',
  folder: '/folders/{id}/discussions',
  collection: '/collections/{id}/discussions',
  runResult: '/run-results/{id}/discussions'
} as const
export type DiscussedKind = keyof typeof DISCUSSIONS

/** Whether people talk about things of a kind. */
export const isDiscussed = (kind: string): kind is DiscussedKind => Object.hasOwn(DISCUSSIONS, kind)

/** What was said first about a record, up to so many comments, and whether there is more of it. */
export async function loadDiscussion(kind: DiscussedKind, id: string, most: number, signal: AbortSignal) {
  const comments: Comment[] = []
  let cursor: string | undefined
  while (comments.length < most) {
    const query = { limit: COMMENTS_PAGE, cursor }
    const answer = await ask('GET', DISCUSSIONS[kind], { path: { id }, query, signal })
    comments.push(...answer.comments)
    cursor = answer.nextCursor
    if (cursor === undefined) break
  }
  return { comments, isCut: cursor !== undefined }
}

/** Whether people can write here: where comments are encrypted, only devices that are enrolled can. */
export const mayDiscuss = (): boolean => !identity().capabilities.discussionE2ee

/** The names of those who have a collection, as far as who is signed in may ask; empty where they may not. */
export async function loadPeople(collectionId: string | null, signal: AbortSignal): Promise<readonly string[]> {
  const known = knownOf(catalog.collection)?.find(({ id }) => id === collectionId)
  if (collectionId === null || !mayShare({ id: collectionId, createdByUserId: known?.madeBy ?? null })) return []
  const path = { id: collectionId }
  const { sharing } = await ask('GET', '/collections/{id}/sharing', { path, signal })
  return sharing.map(({ name }) => name)
}
