import type { Comment } from '../model/notices.js'
import { catalog } from './catalog.js'
import { knownOf } from './loaded.js'
import { mayShare } from './records.js'
import { hub, identity } from './session.js'

/** So many comments are shown, and so many more each time that somebody asks. */
export const COMMENTS_SHOWN = 300
const COMMENTS_PAGE = 100

/** What is said about a record, oldest first, and whether there is more of it. */
interface Discussion {
  readonly comments: readonly Comment[]
  readonly isCut: boolean
}

const PATHS = {
  request: '/requests/{id}/discussions',
  folder: '/folders/{id}/discussions',
  collection: '/collections/{id}/discussions',
  runResult: '/run-results/{id}/discussions'
} as const
export type DiscussedKind = keyof typeof PATHS

/** Whether people talk about things of a kind. */
export const isDiscussed = (kind: string): kind is DiscussedKind => Object.hasOwn(PATHS, kind)

/** Reads what was said first about a record, up to so many comments. */
export async function loadDiscussion(
  kind: DiscussedKind,
  id: string,
  most: number,
  signal: AbortSignal
): Promise<Discussion> {
  const comments: Comment[] = []
  let cursor: string | undefined
  while (comments.length < most) {
    const { body } = await hub().request('GET', PATHS[kind], {
      path: { id },
      query: { limit: COMMENTS_PAGE, cursor },
      signal
    })
    comments.push(...body.comments)
    cursor = body.nextCursor
    if (cursor === undefined) break
  }
  return { comments, isCut: cursor !== undefined }
}

/** Whether people can write here: where comments are encrypted, only devices that are enrolled can. */
export const mayDiscuss = (): boolean => !identity().capabilities.discussionE2ee

/** Where a comment is written. */
export type CommentPlace =
  | { readonly is: 'new'; readonly kind: DiscussedKind; readonly id: string }
  | { readonly is: 'answer'; readonly to: string }
  | { readonly is: 'change'; readonly of: string }

/** Writes a comment, an answer to one, or one's own anew. */
export async function sayAt(place: CommentPlace, text: string): Promise<void> {
  const body = { body: text }
  if (place.is === 'new') await hub().request('POST', PATHS[place.kind], { path: { id: place.id }, body })
  else if (place.is === 'answer')
    await hub().request('POST', '/discussion-comments/{id}/replies', { path: { id: place.to }, body })
  else await hub().request('PUT', '/discussion-comments/{id}', { path: { id: place.of }, body })
}

/** Takes one's own comment back: answers to it stay. */
export async function takeBack(id: string): Promise<void> {
  await hub().request('DELETE', '/discussion-comments/{id}', { path: { id } })
}

/** Marks a thread as resolved, or opens it again. */
export async function markThread(rootId: string, isResolved: boolean): Promise<void> {
  const path = { id: rootId }
  await hub().request('POST', `/discussion-threads/{id}/${isResolved ? 'resolve' : 'reopen'}` as const, { path })
}

/** The names of those who have a collection, as far as who is signed in may ask; empty where they may not. */
export async function loadPeople(collectionId: string | null, signal: AbortSignal): Promise<readonly string[]> {
  const known = knownOf(catalog.collection)?.find(({ id }) => id === collectionId)
  if (collectionId === null || !mayShare({ id: collectionId, createdByUserId: known?.madeBy ?? null })) return []
  const path = { id: collectionId }
  const { sharing } = (await hub().request('GET', '/collections/{id}/sharing', { path, signal })).body
  return sharing.map(({ name }) => name)
}

/** Whether answers in a thread are told. */
export async function loadFollowed(rootId: string, signal: AbortSignal): Promise<boolean> {
  const path = { id: rootId }
  return (await hub().request('GET', '/discussion-threads/{id}/subscription', { path, signal })).body.subscribed
}

/** Chooses whether answers in a thread are told. */
export async function follow(rootId: string, isWanted: boolean): Promise<void> {
  const path = { id: rootId }
  await hub().request('POST', `/discussion-threads/{id}/${isWanted ? 'subscribe' : 'unsubscribe'}` as const, { path })
}
