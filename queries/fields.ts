import type { RestorableKind } from '../commands/kinds.js'

const attribution = ['createdAt', 'updatedAt', 'createdByUserId', 'updatedByUserId'] as const
const inContainer = ['collectionId', 'sortOrder', 'marker', ...attribution] as const
const scripts = ['preRequestScript', 'postRequestScript'] as const

/** The fields of a record of each kind, as lists for clients show it. */
export const kindFields: Readonly<Record<RestorableKind, readonly string[]>> = {
  collection: ['name', 'variables', 'headers', 'auth', ...scripts, 'marker', 'deletionLocked', ...attribution],
  environment: ['name', 'variables', 'marker', 'parentUuid', 'deletionLocked', ...attribution],
  snippet: ['name', 'code', 'scope', 'sortOrder', 'deletionLocked', ...attribution],
  liveServer: [
    ...['name', 'root', 'host', 'port', 'aliases', 'watch', 'cors', 'openPath', 'openPathOnStartup', 'rememberLastUrl'],
    ...['lastOpenedPath', 'indexFiles', 'headers', 'routes', 'errorPages', 'proxies', 'ssl', 'runCommand', 'runtimeId'],
    ...['runCommandEnv', 'runCommandEnabled', 'restartOnCrash', 'urlVariable', 'preRequestScripts'],
    ...['postRequestScripts', 'sortOrder', 'deletionLocked', ...attribution]
  ],
  livePage: [
    ...['name', 'url', 'homeUrl', 'faviconDataUrl', 'scripts', 'preRequestScripts', 'postRequestScripts', 'variables'],
    ...['headers', 'userAgent', 'auth', 'sortOrder', 'deletionLocked', ...attribution]
  ],
  folder: ['name', 'parentFolderId', ...inContainer],
  request: [
    ...['name', 'method', 'url', 'headers', 'params', 'auth', 'body', 'bodyType', 'comment', 'protocol', 'folderId'],
    ...scripts,
    ...inContainer
  ],
  document: ['name', 'content', 'folderId', ...inContainer]
}

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
