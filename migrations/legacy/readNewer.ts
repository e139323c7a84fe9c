import { z } from 'zod'
import { DISCUSSED_KINDS } from '../../commands/talk/comment/events.js'
import { DEVICE_KEY_FORMATS } from '../../commands/talk/device/events.js'
import { NOTICE_LEVELS } from '../../commands/talk/notification/events.js'
import {
  attributed,
  avatarColumns,
  count,
  derived,
  flag,
  id,
  maybeId,
  maybeTime,
  name,
  own,
  parsed,
  text,
  time
} from './columns.js'

const live = z.object({
  ...attributed,
  name,
  payload: parsed(z.record(z.string(), z.unknown()).default({})),
  deletionLocked: flag
})

const { tenantId } = own
/** Text without which there is nothing to take. */
const needed = z.string().min(1)

/** Tables that came with later versions of the older hub, by their names in SQL. */
export const newerTables = {
  /** The default tenant's own row tells what stands for the hub. */
  tenants: z.object({ ...attributed, ...avatarColumns, name }),
  live_servers: live,
  live_pages: live,
  notices: z.object({
    ...own,
    recipientUserId: id,
    eventType: z.string(),
    entityType: z.string(),
    entityId: id,
    requestId: derived,
    collectionId: derived,
    folderId: derived,
    runResultId: derived,
    discussionThreadId: derived,
    discussionCommentId: maybeId,
    actorUserId: maybeId,
    readAt: maybeTime,
    displayMetadata: derived
  }),
  user_notification_settings: z.object({
    id: derived,
    userId: id,
    level: z.enum(NOTICE_LEVELS),
    updatedAt: time,
    tenantId
  }),
  discussion_comments: z.object({
    ...own,
    targetEntityType: z.enum(DISCUSSED_KINDS),
    targetEntityId: id,
    parentCommentId: maybeId,
    rootCommentId: derived,
    depth: derived,
    body: text,
    bodyFormat: z.enum(['plaintext', 'encrypted']).catch('plaintext'),
    bodyMetadata: parsed(z.record(z.string(), z.unknown()).default({})),
    authorUserId: maybeId,
    updatedAt: maybeTime,
    tombstonedAt: maybeTime,
    tombstonedByUserId: maybeId
  }),
  discussion_thread_subscriptions: z.object({ ...own, id: derived, userId: id, rootCommentId: id }),
  device_keys: z.object({
    ...own,
    userId: id,
    deviceId: id,
    label: text,
    keyFormat: z.enum(DEVICE_KEY_FORMATS).catch('identity-v1'),
    publicKeyMaterial: needed,
    fingerprint: needed,
    lastSeenAt: maybeTime,
    revokedAt: maybeTime,
    createdByUserId: derived,
    updatedByUserId: maybeId
  }),
  discussion_mls_group_state: z.object({
    id: derived,
    mlsGroupId: needed,
    targetEntityType: derived,
    targetEntityId: derived,
    currentEpoch: count,
    createdAt: derived,
    updatedAt: derived,
    createdByUserId: derived,
    updatedByUserId: derived,
    tenantId
  }),
  discussion_mls_commits: z.object({
    ...own,
    mlsGroupId: needed,
    epoch: z.coerce.number().int().min(0),
    ciphertext: needed,
    senderDeviceId: id,
    createdByUserId: maybeId
  }),
  discussion_mls_welcomes: z.object({
    ...own,
    mlsGroupId: needed,
    recipientDeviceId: id,
    ciphertext: needed,
    ratchetTree: text,
    createdByUserId: maybeId
  })
} as const
