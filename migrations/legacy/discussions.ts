import { hash } from 'node:crypto'
import { emitImported } from '../../commands/takeover/events.js'
import { DEPTH_MAX } from '../../commands/talk/comment/events.js'
import { encryptedPayload } from '../../commands/talk/comment/payload.js'
import { LIMITS } from '../../src/limits.js'
import type { Taking } from './contents.js'
import type { News } from './notices.js'
import type { Places } from './places.js'
import type { LegacyRecord } from './read.js'
import type { Sink } from './sink.js'
import { type LegacySource, latestLast } from './source.js'
import { type People, personOf } from './users.js'

type Comment = LegacyRecord<'discussion_comments'>
export const TARGET_GONE = 'what it is about is not there'

/** Where a comment stands in its discussion. */
interface Stand {
  readonly parentId: string | null
  readonly rootId: string
  readonly depth: number
}

/** Takes comments over, with the places of what they are about, the latest ones last, and returns those that are taken. */
export async function comments(
  source: LegacySource,
  sink: Sink,
  { people, places, since }: Taking
): Promise<News['comments']> {
  const parents = await parentsOf(source, places)
  const mentions = await mentioned(source, people)
  const taken = new Map<string, { readonly isRetracted: boolean }>()
  for await (const comment of latestLast(source, 'discussion_comments', since)) {
    const { id, tombstonedAt, createdAt } = comment
    const target = targetOf(comment)
    const collectionId = places.of(target)
    const said = saidIn(comment)
    if (collectionId === undefined) source.refuse('discussion_comments', id, TARGET_GONE)
    else if (!said) source.refuse('discussion_comments', id, 'its encrypted payload cannot be read')
    else {
      const data = {
        ...{ target, collectionId, ...standOf(id, parents), ...said, mentions: mentions.get(id) ?? [] },
        authorId: personOf(people, comment.authorUserId),
        createdAt,
        updatedAt: comment.updatedAt ?? tombstonedAt ?? createdAt,
        isRetracted: tombstonedAt !== null,
        retractedBy: personOf(people, comment.tombstonedByUserId)
      }
      const event = emitImported(id, 'CommentImported', data)
      if (await sink.add(source, 'discussion_comments', event)) taken.set(id, { isRetracted: tombstonedAt !== null })
    }
  }
  return taken
}

const targetOf = ({ targetEntityType: kind, targetEntityId: id }: Comment) => ({ kind, id })

/** The comment that each one answers, where both are there and about the same. */
async function parentsOf(source: LegacySource, places: Places): Promise<ReadonlyMap<string, string | null>> {
  const about = new Map<string, string>()
  const said: { readonly id: string; readonly parentId: string | null }[] = []
  for await (const comment of source.records('discussion_comments')) {
    // What is not taken answers nothing, and nothing answers it.
    if (places.of(targetOf(comment)) === undefined || !saidIn(comment)) continue
    about.set(comment.id, comment.targetEntityId)
    said.push({ id: comment.id, parentId: comment.parentCommentId })
  }
  return new Map(
    said.map(({ id, parentId }) => {
      const isThere = parentId !== null && parentId !== id && about.get(parentId) === about.get(id)
      return [id, isThere ? parentId : null]
    })
  )
}

/** What answers a comment on the last level stands beside it. Where a chain ends nowhere, a thread begins. */
function standOf(id: string, parents: ReadonlyMap<string, string | null>): Stand {
  const chain = [id]
  for (
    let above = parents.get(id) ?? null;
    above !== null && !chain.includes(above);
    above = parents.get(above) ?? null
  )
    chain.push(above)
  const depth = Math.min(chain.length, DEPTH_MAX)
  const parentId = depth === 1 ? null : (chain.at(1 - depth) ?? null)
  return { parentId, rootId: chain.at(-1) ?? id, depth }
}

function saidIn({ body, bodyFormat, bodyMetadata, tombstonedAt }: Comment) {
  if (tombstonedAt !== null) return { text: '' }
  if (bodyFormat === 'plaintext') return { text: body }
  const { data } = encryptedPayload.safeParse({ ciphertext: body, ...withoutNulls(bodyMetadata) })
  return data && { text: '', encrypted: data }
}

function withoutNulls(fields: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
}

/** Whom a comment mentioned, as far as the older hub has told them. */
async function mentioned(source: LegacySource, people: People): Promise<ReadonlyMap<string, readonly string[]>> {
  const mentions = new Map<string, string[]>()
  for await (const { eventType, recipientUserId, discussionCommentId } of source.records('notices')) {
    const userId = personOf(people, recipientUserId)
    if (eventType !== 'discussion.mention' || discussionCommentId === null || userId === null) continue
    const of = mentions.get(discussionCommentId) ?? []
    if (of.length < LIMITS.mentions.max) mentions.set(discussionCommentId, [...of, userId])
  }
  return mentions
}

/** Takes over what accounts want to be told: their levels, and the threads that they follow, of those that are taken. */
export async function wishes(source: LegacySource, sink: Sink, people: People, taken: News['comments']): Promise<void> {
  for await (const { userId, level, updatedAt } of source.records('user_notification_settings')) {
    const person = personOf(people, userId)
    if (person === null) source.refuse('user_notification_settings', userId, 'its user is gone')
    else {
      const event = emitImported(person, 'NoticeLevelImported', { level, updatedAt })
      await sink.add(source, 'user_notification_settings', event)
    }
  }
  const table = 'discussion_thread_subscriptions'
  for await (const { userId, rootCommentId: rootId, createdAt: at } of source.records(table)) {
    const person = personOf(people, userId)
    const key = `${userId} ${rootId}`
    if (person === null) source.refuse(table, key, 'its user is gone')
    else if (!taken.has(rootId)) source.refuse(table, key, 'its thread is not there')
    else {
      const data = { userId: person, rootId, at }
      // There it had no id of its own. Run again, it has this one again.
      await sink.add(source, table, emitImported(hash('md5', key), 'ThreadSubscriptionImported', data))
    }
  }
}
