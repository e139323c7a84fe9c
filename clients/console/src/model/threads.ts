import type { Schemas } from '@collections-hub/client'

export type Comment = Schemas['Comment']

/** A comment with those that answer it, oldest first. */
export interface Thread {
  readonly root: Comment
  readonly answers: readonly Comment[]
}

/** Comments by the thread that they are in, in their order. A thread whose first comment is not there yet is left out. */
export function threadsOf(comments: readonly Comment[]): readonly Thread[] {
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
