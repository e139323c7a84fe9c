import type { Schemas } from '@collections-hub/client'
import { count } from './numbers.js'
import { pathOf } from './records.js'

export type Notice = Schemas['Notice']

const SAID: Readonly<Record<Notice['eventType'], string>> = {
  'request.updated': 'saved',
  'runResult.created': 'shared a run:',
  'runResult.failed': 'shared a run that failed:',
  'discussion.comment': 'began a discussion of',
  'discussion.reply': 'answered in a discussion of',
  'discussion.mention': 'mentioned you in a discussion of'
}

/** What a notice tells, between the name of who did it and what it was done to. */
export const noticeSays = ({ eventType }: Notice): string => SAID[eventType]

/** The path of the page of what a notice is about. */
export function placeOf({ entityType, entityId, collectionId }: Notice): readonly string[] {
  if (entityType === 'runResult') return ['run-results', entityId]
  return pathOf({ kind: entityType, id: entityId, collectionId })
}

/** The kinds of which a change may make a notice, or show or hide one. */
const TELLING = new Set(['request', 'folder', 'collection', 'runresult', 'comment', 'notification', 'user'])
export const tells = (kind: string): boolean => TELLING.has(kind)

/** Which notices somebody gets, as people choose it. */
export const LEVELS = [
  { value: 'all', label: 'Everything that concerns me' },
  { value: 'mentions', label: 'Only where I am mentioned' },
  { value: 'none', label: 'Nothing' }
] as const
export type Level = (typeof LEVELS)[number]['value']

/** What is on the bell: as many as there is room for. */
export const badgeOf = (unread: number): string => (unread > 99 ? '99+' : String(unread))

/** What the bell is called. */
export const bellName = (unread: number): string => (unread === 0 ? 'Notices' : `Notices, ${count(unread)} unread`)

export type Comment = Schemas['Comment']

/** Comments by the thread that they are in, in their order. A thread whose first comment is not there yet is left out. */
export function threadsOf(comments: readonly Comment[]) {
  const threads = new Map<string, { readonly root: Comment; readonly answers: Comment[] }>()
  for (const one of comments) if (one.id === one.rootCommentId) threads.set(one.id, { root: one, answers: [] })
  for (const one of comments) if (one.id !== one.rootCommentId) threads.get(one.rootCommentId)?.answers.push(one)
  return [...threads.values()]
}

/** What a comment says, and whether those are its own words. */
export function wordsOf({ body, bodyFormat, tombstoned }: Comment): { readonly text: string; readonly isOwn: boolean } {
  if (tombstoned) return { text: 'Taken back.', isOwn: false }
  if (body !== null) return { text: body, isOwn: true }
  const isEncrypted = bodyFormat === 'encrypted'
  return { text: isEncrypted ? 'Encrypted: only enrolled devices can read it.' : 'Not shown here.', isOwn: false }
}
