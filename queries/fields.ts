/** The fields of a record of which administrators see no more than the name and the lock. */
export const managedFields = ['name', 'deletionLocked']

/** The fields of an account in the list of all. */
export const userFields = [
  ...['name', 'role', 'collectionAccess', 'environmentAccess', 'snippetAccess', 'liveServerAccess', 'livePageAccess'],
  ...['llmAccess', 'llmModels', 'llmMonthlyTokenLimit', 'createdAt', 'updatedAt', 'avatarInitials', 'avatarColor'],
  ...['avatarImageUrl', 'warnings']
]

export const tokenFields = ['userId', 'name', 'tokenPrefix', 'createdAt', 'lastUsedAt', 'revokedAt', 'agentWrites']

export const invitationFields = [
  ...['userId', 'codePrefix', 'expiresAt', 'redeemedAt', 'revokedAt', 'createdAt', 'status']
]

export const webhookFields = [
  ...['url', 'kinds', 'types', 'collectionId', 'description', 'ownerId', 'isEnabled', 'status', 'disabledReason'],
  ...['disabledAt', 'createdAt', 'updatedAt', 'rotatedAt']
]

export const deviceFields = [
  ...['userId', 'deviceId', 'label', 'keyFormat', 'fingerprint', 'fingerprintPrefix', 'createdAt', 'lastSeenAt'],
  'revokedAt'
]

export const runResultFields = [
  ...['kind', 'label', 'collectionName', 'requestName', 'summary', 'createdAt', 'createdByUserId']
]
