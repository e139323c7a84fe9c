import { z } from 'zod'
import { DEPTH_MAX, DISCUSSED_KINDS } from '../../commands/talk/comment/events.js'
import { encryptedPayload } from '../../commands/talk/comment/payload.js'
import { DEVICE_KEY_FORMATS } from '../../commands/talk/device/events.js'
import { NOTICE_LEVELS } from '../../commands/talk/notification/events.js'
import { NOTICE_TYPES } from '../followers/notices/rules.js'
import { createdAt, id, ownId, shownAvatar, time, updatedAt } from './answers.js'
import { named } from './openapi/names.js'

/** What the routes of discussions, of their devices and of notices answer, for the description of the interface. */

/** Who has done something; without an avatar where the account is gone. */
const person = z.object({
  id: ownId,
  name: z.string().describe('The name that the account has now.'),
  avatar: z.object(shownAvatar).optional().describe('What stands for the account; missing where it is gone.')
})
/** What devices have encrypted: the text of a comment, on hubs that take no other. */
const encrypted = named('EncryptedPayload', 'A comment as devices have encrypted it.', encryptedPayload)

export const comment = named('Comment', 'A comment on something.', {
  id: ownId,
  entityType: z.enum(DISCUSSED_KINDS).describe('What kind of thing it is about.'),
  entityId: id.describe('The id of that thing.'),
  parentCommentId: id.nullable().describe('The id of the comment that it answers; null for the first of a thread.'),
  rootCommentId: id.describe('The id of the first comment of its thread, which the thread goes by.'),
  depth: z.int().min(1).max(DEPTH_MAX).describe('How deep it is in its thread, from 1.'),
  body: z.string().nullable().describe('The text; null where it is encrypted or deleted.'),
  bodyFormat: z.enum(['plaintext', 'encrypted']).describe('Whether the text is in `body` or in `encryptedPayload`.'),
  encryptedPayload: encrypted
    .nullable()
    .describe('What a device has encrypted; null where the comment is no such one, or deleted.'),
  author: person.describe('The account that wrote it.'),
  createdAt,
  updatedAt,
  tombstoned: z.boolean().describe('True where it is deleted: it keeps its place and its answers.'),
  resolvedAt: time
    .optional()
    .describe('When the thread that it begins was resolved; missing where it is open, and on answers.'),
  resolvedBy: person.optional().describe('The account that resolved the thread; missing where it is open.')
})
const nextCursor = z.string().optional().describe('The `cursor` of the next page; missing on the last one.')
/** The last page has no `nextCursor`. */
export const commentPage = z.object({
  comments: z.array(comment).describe('The comments of all threads, the oldest first.'),
  nextCursor
})

export const device = named('Device', 'A device that encrypts comments, without its key.', {
  id: ownId,
  userId: id.describe('The id of the account that enrolled it.'),
  deviceId: id.describe('What the device calls itself.'),
  label: z.string().describe('What people call it.'),
  keyFormat: z.enum(DEVICE_KEY_FORMATS).describe('What its key is.'),
  fingerprint: z.string().describe('The SHA-256 of its public key, in hexadecimal.'),
  fingerprintPrefix: z.string().describe('The beginning of the fingerprint, for people.'),
  createdAt: time.describe('When it was enrolled.'),
  lastSeenAt: time.nullable().describe('When it was enrolled: when it was there last nothing tells.'),
  revokedAt: time.nullable().describe('When it was revoked; null where it may write.')
})
/** The same wherever what devices send each other is told. */
const mlsGroupId = z.string().describe('The group that it is for, as in `thread:request:ID`.')
const sentBetween = {
  id: ownId,
  mlsGroupId,
  ciphertext: z.string().describe('What is encrypted. The hub never decrypts it.'),
  createdAt: time.describe('When it was sent.')
}
const epoch = z.int().min(0)
export const mlsCommit = named('MlsCommit', 'What takes the group of a discussion to a later epoch.', {
  ...sentBetween,
  epoch: epoch.describe('The epoch that it takes the group to.'),
  senderDeviceId: id.describe('The `deviceId` of the device that sent it.')
})
export const mlsCommitPage = z.object({ commits: z.array(mlsCommit).describe('The commits, by epoch.'), nextCursor })
export const mlsWelcome = named('MlsWelcome', 'What lets a device into the group of a discussion.', {
  ...sentBetween,
  recipientDeviceId: id.describe('The `deviceId` of the device that it is for.'),
  ratchetTree: z.string().describe('The ratchet tree of the group, as the sender has it.')
})
export const mlsGroupState = named('MlsGroupState', 'How far the group of a discussion is.', {
  mlsGroupId,
  currentEpoch: epoch.describe('The epoch of its last commit.'),
  createdAt,
  updatedAt
})

const noticeTarget = (what: string) =>
  id.nullable().describe(`The id of the ${what} that it is about; null where there is none.`)

export const notice = named('Notice', 'What somebody else has done that an account is told of.', {
  id: ownId,
  eventType: z.enum(NOTICE_TYPES).describe('What was done.'),
  entityType: z.enum(DISCUSSED_KINDS).describe('What kind of thing it is about.'),
  entityId: id.describe('The id of that thing.'),
  requestId: noticeTarget('request'),
  collectionId: noticeTarget('collection'),
  folderId: noticeTarget('folder'),
  runResultId: noticeTarget('run result'),
  discussionThreadId: noticeTarget('thread'),
  discussionCommentId: noticeTarget('comment'),
  actor: person.describe('The account that did it.'),
  createdAt: time.describe('When it was done.'),
  readAt: time.nullable().describe('When the caller has read it; null where they have not.'),
  displayMetadata: z
    .object({
      actorName: z.string().describe('The name of the account that did it.'),
      targetLabel: z.string().describe('What the thing is called.'),
      method: z.string().optional().describe('The method of the request.'),
      requestName: z.string().optional().describe('The name of the request.'),
      runLabel: z.string().optional().describe('The label of the run result.'),
      previewText: z.string().optional().describe('The beginning of the comment; missing where it is encrypted.')
    })
    .describe('Texts to show it with. What does not apply is missing.')
})
/** The last page has no `nextCursor`. */
export const noticePage = z.object({ notices: z.array(notice).describe('The notices, the newest first.'), nextCursor })
export const noticeCount = z.object({ count: z.int().describe('How many notices are unread.') })
export const noticeSettings = z.object({
  level: z
    .enum(NOTICE_LEVELS)
    .describe('Which notices the account gets: all, those of comments that mention it, or none.'),
  updatedAt
})
export const threadSubscription = z.object({
  subscribed: z.boolean().describe('Whether the account is told of answers in the thread.'),
  rootCommentId: id.describe('The id of the first comment of the thread.')
})
export const noticeEvent = z.object({
  v: z.literal(1).describe('The version of the protocol.'),
  type: z.literal('notice.created').describe('There is a new notice.'),
  noticeId: id.describe('The id of the notice.'),
  unreadCount: z.int().describe('How many notices are unread now.')
})
