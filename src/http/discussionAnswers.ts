import { z } from 'zod'
import { DEPTH_MAX, DISCUSSED_KINDS } from '../../commands/talk/comment/events.js'
import { encryptedPayload } from '../../commands/talk/comment/payload.js'
import { DEVICE_KEY_FORMATS } from '../../commands/talk/device/events.js'
import { NOTICE_LEVELS } from '../../commands/talk/notification/events.js'
import { NOTICE_TYPES } from '../followers/notices/rules.js'
import { shownAvatar } from './answers.js'
import { named } from './openapi/names.js'

/** What the routes of discussions, of their devices and of notices answer, for the description of the interface. */

const id = z.string()
const time = z.iso.datetime()

/** Who has done something; without an avatar where the account is gone. */
const person = z.object({
  id,
  name: z.string(),
  avatar: z.object(shownAvatar).optional()
})
/** What devices have encrypted: the text of a comment, on hubs that take no other. */
const encrypted = named('EncryptedPayload', encryptedPayload)

export const comment = named('Comment', {
  id,
  entityType: z.enum(DISCUSSED_KINDS),
  entityId: id,
  parentCommentId: id.nullable(),
  rootCommentId: id,
  depth: z.int().min(1).max(DEPTH_MAX),
  body: z.string().nullable(),
  bodyFormat: z.enum(['plaintext', 'encrypted']),
  encryptedPayload: encrypted.nullable(),
  author: person,
  createdAt: time,
  updatedAt: time,
  tombstoned: z.boolean()
})
/** The last page has no `nextCursor`. */
export const commentPage = z.object({ comments: z.array(comment), nextCursor: z.string().optional() })

export const device = named('Device', {
  id,
  userId: id,
  deviceId: id,
  label: z.string(),
  keyFormat: z.enum(DEVICE_KEY_FORMATS),
  fingerprint: z.string(),
  fingerprintPrefix: z.string(),
  createdAt: time,
  lastSeenAt: time.nullable(),
  revokedAt: time.nullable()
})
/** The same wherever what devices send each other is told. */
const sentBetween = { id, mlsGroupId: z.string(), ciphertext: z.string(), createdAt: time }
const epoch = z.int().min(0)
export const mlsCommit = named('MlsCommit', { ...sentBetween, epoch, senderDeviceId: id })
export const mlsCommitPage = z.object({ commits: z.array(mlsCommit), nextCursor: z.string().optional() })
export const mlsWelcome = named('MlsWelcome', { ...sentBetween, recipientDeviceId: id, ratchetTree: z.string() })
export const mlsGroupState = named('MlsGroupState', {
  mlsGroupId: z.string(),
  currentEpoch: epoch,
  createdAt: time,
  updatedAt: time
})

const noticeTarget = id.nullable()

export const notice = named('Notice', {
  id,
  eventType: z.enum(NOTICE_TYPES),
  entityType: z.enum(DISCUSSED_KINDS),
  entityId: id,
  requestId: noticeTarget,
  collectionId: noticeTarget,
  folderId: noticeTarget,
  runResultId: noticeTarget,
  discussionThreadId: noticeTarget,
  discussionCommentId: noticeTarget,
  actor: person,
  createdAt: time,
  readAt: time.nullable(),
  displayMetadata: z.object({
    actorName: z.string(),
    targetLabel: z.string(),
    method: z.string().optional(),
    requestName: z.string().optional(),
    runLabel: z.string().optional(),
    previewText: z.string().optional()
  })
})
/** The last page has no `nextCursor`. */
export const noticePage = z.object({ notices: z.array(notice), nextCursor: z.string().optional() })
export const noticeCount = z.object({ count: z.int() })
export const noticeSettings = z.object({ level: z.enum(NOTICE_LEVELS), updatedAt: time })
export const threadSubscription = z.object({ subscribed: z.boolean(), rootCommentId: id })
export const noticeEvent = z.object({
  v: z.literal(1),
  type: z.literal('notice.created'),
  noticeId: id,
  unreadCount: z.int()
})
