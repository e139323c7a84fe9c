import { z } from 'zod'
import { usersTable } from '../../../commands/people/user/table.js'
import { kinds } from '../../../commands/records/kinds.js'
import { runResultsTable } from '../../../commands/records/runResult/table.js'
import { shownIn } from '../../../commands/talk/comment/said.js'
import { commentsTable } from '../../../commands/talk/comment/table.js'
import { authorOf } from '../../../queries/comments.js'
import { nameInColumns } from '../../../queries/names.js'
import { wholeRows } from '../../readmodel/manyRows.js'
import type { Columns, PagedReads, ReadStore, Row } from '../../storage/storage.js'
import type { Notice } from './inbox.js'

const PREVIEW_MAX = 120
const CUT = '...'

/**
 * A page of notices as clients see them. What is told of a record is what it is called now; of
 * comments nothing is shown where discussions are encrypted.
 */
export async function noticeRecords(
  read: ReadStore & Pick<PagedReads, 'getPage'>,
  notices: readonly Notice[],
  isEncrypted: boolean
) {
  const ids = [...new Set(notices.map(({ news }) => news.actorId))].filter((id) => id !== '')
  const actors = new Map((await read.getAll(usersTable, ids, { body: false })).map((user) => [user.id, user]))
  const commentIds = notices.flatMap(({ news }) => (news.is === 'commented' ? [news.commentId] : []))
  const previews = new Map<string, string | undefined>()
  for await (const row of wholeRows(read, commentsTable, [...new Set(commentIds)]))
    previews.set(row.id, isEncrypted ? undefined : previewOf(shownIn(row).body))
  const targets = new Map<string, About>()
  for (const kind of ['request', 'folder', 'collection', 'runResult'] as const) {
    const wanted = notices.flatMap(({ news: { target } }) => (target.kind === kind ? [target.id] : []))
    const table = kind === 'runResult' ? runResultsTable : kinds[kind].table
    for await (const row of wholeRows<Columns>(read, table, [...new Set(wanted)]))
      targets.set(row.id, aboutOf(kind, row))
  }
  return notices.flatMap((notice) => {
    const { news } = notice
    const about = targets.get(news.target.id)
    // What has gone since the board was read is no notice any more.
    if (!about || (news.is === 'commented' && !previews.has(news.commentId))) return []
    const previewText = news.is === 'commented' ? previews.get(news.commentId) : undefined
    return [recordOf(notice, about, authorOf(actors.get(news.actorId)), previewText)]
  })
}

interface About {
  readonly label: string
  readonly method?: string
  readonly requestName?: string
  readonly runLabel?: string
}

const request = z.object({ name: z.string(), method: z.string() })
const run = z.object({ label: z.string(), requestName: z.string().nullable() })

function aboutOf(kind: 'request' | 'folder' | 'collection' | 'runResult', row: Row): About {
  if (kind === 'request') {
    const { name, method } = request.parse(JSON.parse(row.body))
    return { label: name, requestName: name, method }
  }
  if (kind === 'runResult') {
    const { label, requestName } = run.parse(JSON.parse(row.body))
    return { label, runLabel: label, ...(requestName !== null && { requestName }) }
  }
  return { label: nameInColumns(row) }
}

function recordOf(
  { id, type, news, readAt }: Notice,
  about: About,
  actor: ReturnType<typeof authorOf>,
  previewText?: string
) {
  const { target, place, at } = news
  const isComment = news.is === 'commented'
  const { label: targetLabel, ...more } = about
  return {
    id,
    eventType: type,
    entityType: target.kind,
    entityId: target.id,
    requestId: target.kind === 'request' ? target.id : null,
    collectionId: place.collectionId,
    folderId: place.folderId,
    runResultId: target.kind === 'runResult' ? target.id : null,
    discussionThreadId: isComment ? news.rootId : null,
    discussionCommentId: isComment ? news.commentId : null,
    actor,
    createdAt: at,
    readAt,
    displayMetadata: {
      actorName: actor.name,
      targetLabel,
      ...more,
      ...(previewText !== undefined && { previewText })
    }
  }
}

/** The beginning of a comment. */
function previewOf(text: string | null): string | undefined {
  if (text === null) return undefined
  const letters = [...text.slice(0, 2 * PREVIEW_MAX + 2)]
  return letters.length > PREVIEW_MAX ? letters.slice(0, PREVIEW_MAX - CUT.length).join('') + CUT : text
}
