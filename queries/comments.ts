import { usersTable } from '../commands/people/user/table.js'
import type { JsonText } from '../commands/record.js'
import { discussedBy } from '../commands/talk/comment/decide.js'
import type { Discussed } from '../commands/talk/comment/events.js'
import { shownIn } from '../commands/talk/comment/said.js'
import { commentsTable } from '../commands/talk/comment/table.js'
import type { ReadStore, Row } from '../src/storage/storage.js'
import { avatarOf } from './avatars.js'
import type { UserRow } from './callers.js'
import type { Rows } from './listing.js'

export type CommentRow = Row<typeof commentsTable.columns>

/** All comments of a thing, of every thread of it, oldest first. */
export function listComments({ kind, id }: Discussed): Rows<typeof commentsTable.columns> {
  return { table: commentsTable, index: 'byTarget', under: [kind, id] }
}

/**
 * Comments as clients see them, in their order. Where the hub's discussions are encrypted, texts of before that are not shown:
 * what is read there was encrypted.
 */
export async function commentRecords(
  read: Pick<ReadStore, 'getAll'>,
  rows: readonly CommentRow[],
  isEncrypted: boolean
): Promise<readonly JsonText[]> {
  const ids = [...new Set(rows.flatMap(({ authorId, resolvedBy }) => [authorId ?? [], resolvedBy ?? []].flat()))]
  const people = new Map((await read.getAll(usersTable, ids, { body: false })).map((user) => [user.id, user]))
  return rows.map((row) => commentRecord(row, people, isEncrypted))
}

function commentRecord(row: CommentRow, people: ReadonlyMap<string, UserRow>, isHubEncrypted: boolean): JsonText {
  const { id, parentId, rootId, depth, isTombstoned, isEncrypted, createdAt, updatedAt, resolvedAt } = row
  const target = discussedBy(row)
  const { body, encryptedPayload } = shownIn(row)
  return JSON.stringify({
    id,
    entityType: target.kind,
    entityId: target.id,
    parentCommentId: parentId,
    rootCommentId: rootId,
    depth,
    body: isHubEncrypted ? null : body,
    bodyFormat: isEncrypted ? 'encrypted' : 'plaintext',
    encryptedPayload,
    author: authorOf(people.get(row.authorId ?? '')),
    createdAt,
    updatedAt,
    tombstoned: isTombstoned,
    ...(resolvedAt !== null && { resolvedAt, resolvedBy: authorOf(people.get(row.resolvedBy ?? '')) })
  })
}

/** Who has written a comment or done something else, as clients see it; an account that is gone has neither id nor name, nor an avatar. */
export function authorOf(user: UserRow | undefined) {
  if (!user) return { id: '', name: 'Unknown user' }
  const { id, name } = user
  return { id, name, avatar: avatarOf(user) }
}
