import { z } from 'zod'
import { id, timestamp } from './shapes.js'

/** Devices and what they send each other, as the newest clients require them, field by field. */
export const device = z.strictObject({
  id,
  userId: id,
  deviceId: z.uuidv4(),
  label: z.string().min(1),
  keyFormat: z.enum(['identity-v1', 'mls-key-package']),
  fingerprint: z.string().regex(/^[0-9a-f]{64}$/),
  fingerprintPrefix: z.string().regex(/^[0-9a-f]{8}$/),
  createdAt: timestamp,
  lastSeenAt: timestamp.nullable(),
  revokedAt: timestamp.nullable()
})
export const mlsCommit = z.strictObject({
  id,
  mlsGroupId: z.string(),
  epoch: z.int().min(0),
  ciphertext: z.string().min(1),
  senderDeviceId: z.uuidv4(),
  createdAt: timestamp
})
export const mlsCommitPage = z.strictObject({ commits: z.array(mlsCommit), nextCursor: z.string().optional() })
export const mlsWelcome = z.strictObject({
  id,
  mlsGroupId: z.string(),
  recipientDeviceId: z.uuidv4(),
  ciphertext: z.string().min(1),
  ratchetTree: z.string().min(1),
  createdAt: timestamp
})
export const mlsGroupState = z.strictObject({
  mlsGroupId: z.string(),
  currentEpoch: z.int().min(0),
  createdAt: timestamp,
  updatedAt: timestamp
})
