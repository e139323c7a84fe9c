import { auth, DEVICE, group, ID, OTHER, scimUser, snippet, variable } from './examples.js'

const COLLECTION = OTHER
const ADA = '7c1d9e03-4a5b-4c2d-8e6f-1b0a9c8d7e65'
const AT = '2026-03-04T05:06:07.089Z'
const LATER = '2026-03-05T05:06:07.089Z'

const times = { createdAt: AT, updatedAt: AT }
const attribution = { ...times, createdByUserId: ADA, updatedByUserId: ADA }
const scripts = { preRequestScript: '', postRequestScript: '' }
const placed = { collectionId: COLLECTION, sortOrder: 0 }
const collection = {
  ...{ id: COLLECTION, name: 'Payments', variables: [variable], headers: [], auth, ...scripts, marker: null },
  ...{ ...attribution, deletionLocked: false }
}
const runResult = {
  ...{ id: ID, kind: 'collection-run-results', label: 'Nightly', collectionName: 'Payments', requestName: null },
  ...{ summary: { passed: 1, failed: 0, skipped: 0 }, createdAt: AT, createdByUserId: ADA }
}
const access = {
  ...{
    collectionAccess: ['*'],
    environmentAccess: ['*'],
    snippetAccess: ['*'],
    liveServerAccess: [],
    livePageAccess: []
  },
  ...{ llmAccess: true, llmModels: ['*'] }
}
const avatar = { avatarInitials: 'AL', avatarColor: 'teal-600' }
const roles = { role: 'user', exactRole: 'user' }
const user = { id: ADA, name: 'Ada', ...roles, ...access, llmMonthlyTokenLimit: null, ...times, ...avatar }
const token = {
  ...{ id: ID, userId: ADA, name: 'Laptop', tokenPrefix: 'hbk_3f9a', createdAt: AT },
  ...{ lastUsedAt: null, revokedAt: null, agentWrites: false, expiresAt: null, scopes: null }
}
const issued = { token, secret: 'hbk_3f9aQm0Zr8Kc1Vt5Lw2Xp7Ys4Nd6Hb9Je0Gu3Fa8Qo12xT9Bq' }
const invitation = {
  ...{ id: ID, userId: ADA, codePrefix: 'hbi_0123', expiresAt: LATER, redeemedAt: null, revokedAt: null },
  ...{ createdAt: AT, status: 'pending' }
}
const hub = { name: 'Payments team', initials: 'PT', color: 'sky-600' }
const person = { id: ADA, name: 'Ada', avatar: { initials: 'AL', color: 'teal-600' } }
const sent = { id: ID, ...group, ciphertext: 'AAEAAg==', createdAt: AT }
const usage = { promptTokens: 412, completionTokens: 58, totalTokens: 470 }
const change = {
  ...{ position: 4711, at: AT, type: 'RequestUpdated', kind: 'request', id: ID },
  ...{ collectionId: COLLECTION, actorId: ADA }
}
const who = { id: ADA, name: 'Ada' }
const fieldChange = { path: '/method', from: 'GET', to: 'POST' }
const empty = { errorPages: [], proxies: [], runCommandEnv: [], preRequestScripts: [], postRequestScripts: [] }

const webhook = {
  ...{ id: ID, ownerId: ADA, url: 'https://ci.example.com/hook', kinds: ['request'], types: [] },
  ...{ collectionId: COLLECTION, description: 'CI', isEnabled: true, status: 'active', disabledReason: null },
  ...{ disabledAt: null, ...times, rotatedAt: null }
}
const attempt = { messageId: 'msg_5a0b_4711', status: 204, error: null, answer: '', durationMs: 84 }

/** What an answer looks like, by the name of its schema. A test parses each with that schema. */
export const ANSWERS: Readonly<Record<string, unknown>> = {
  Collection: collection,
  Environment: {
    ...{ id: ID, name: 'Staging', variables: [variable], marker: null, parentUuid: null },
    ...{ ...attribution, deletionLocked: false }
  },
  Snippet: { id: ID, ...snippet, sortOrder: 0, ...attribution, deletionLocked: false },
  LiveServer: {
    ...{
      id: ID,
      name: 'Mock of payments',
      root: '/home/ada/mock',
      host: '127.0.0.1',
      port: 4010,
      aliases: [],
      watch: true
    },
    cors: {
      ...{ enabled: false, origin: '*', methods: 'GET,HEAD,PUT,PATCH,POST,DELETE', allowedHeaders: '*' },
      ...{ exposedHeaders: '', maxAge: '', credentials: false }
    },
    ...{ openPath: '/', openPathOnStartup: true, rememberLastUrl: false, lastOpenedPath: null },
    ...{ indexFiles: ['index.html'], headers: [], routes: [], ...empty },
    ...{ ssl: { enabled: false, certPath: '', keyPath: '' }, runCommand: '', runtimeId: '', runCommandEnabled: false },
    ...{ restartOnCrash: false, urlVariable: '', ...attribution, deletionLocked: false }
  },
  LivePage: {
    ...{
      id: ID,
      name: 'Dashboard',
      url: 'https://dashboard.example.com/',
      homeUrl: 'about:blank',
      faviconDataUrl: null
    },
    ...{ scripts: [], preRequestScripts: [], postRequestScripts: [], variables: [], headers: [], userAgent: '', auth },
    ...{ ...attribution, deletionLocked: false }
  },
  Folder: { id: ID, name: 'Refunds', marker: null, ...placed, ...attribution, parentFolderId: null },
  SavedRequest: {
    ...{ id: ID, name: 'List payments', method: 'GET', url: 'https://api.example.com/payments' },
    headers: [{ key: 'accept', value: 'application/json', enabled: true }],
    params: [{ key: 'limit', value: '20', enabled: true }],
    ...{ auth, body: '', bodyType: 'none', ...scripts, comment: '', protocol: 'http', marker: null },
    ...{ ...placed, ...attribution, folderId: null }
  },
  Document: {
    id: ID,
    name: 'Read me.md',
    content: '# Payments',
    marker: null,
    ...placed,
    ...attribution,
    folderId: null
  },
  ManagedRecord: { id: ID, name: 'Payments', deletionLocked: true },
  RunResult: runResult,
  RunResultWithPayload: {
    ...runResult,
    payload: {
      harborclientExport: 'collection-run-results',
      collection: { name: 'Payments' },
      results: [{ requestName: 'List payments', status: 'passed' }]
    }
  },
  Comment: {
    ...{ id: ID, entityType: 'request', entityId: COLLECTION, parentCommentId: null, rootCommentId: ID, depth: 1 },
    ...{ body: 'Why does this answer 409?', bodyFormat: 'plaintext', encryptedPayload: null, author: person },
    ...{ ...times, tombstoned: false, resolvedAt: AT, resolvedBy: person }
  },
  Device: {
    ...{ id: ID, userId: ADA, deviceId: DEVICE, label: 'Laptop', keyFormat: 'identity-v1' },
    fingerprint: '3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b8550',
    ...{ fingerprintPrefix: '3b0c4429', createdAt: AT, lastSeenAt: null, revokedAt: null }
  },
  MlsCommit: { ...sent, epoch: 1, senderDeviceId: DEVICE },
  MlsWelcome: { ...sent, recipientDeviceId: DEVICE, ratchetTree: 'AQIDBA==' },
  MlsGroupState: { ...group, currentEpoch: 1, ...times },
  Avatar: avatar,
  Hub: hub,
  User: user,
  ListedUser: { ...user, warnings: [] },
  Token: token,
  IssuedToken: issued,
  CreatedUser: { user, ...issued },
  Invitation: invitation,
  IssuedInvitation: { user, invitation, secret: 'hbi_0123456789abcdef' },
  Sharing: { userId: ADA, name: 'Ada', role: 'viewer', by: 'grant' },
  Group: {
    ...{ id: ID, name: 'Payments', ...access, llmMonthlyTokenLimit: null, grants: [], externalId: null },
    ...times
  },
  LlmBudget: {
    ...{ id: ID, name: 'Payments', subject: 'group', subjectId: ID, model: null, unit: 'usd', period: 'month' },
    ...{ limit: 25.5, used: 3.2, held: 0.04, endsAt: '2026-12-01T00:00:00.000Z', ...times }
  },
  Question: { program: 'An editor', scopes: ['read', 'agent'], agentsMayWrite: false, leadsTo: '127.0.0.1:33418' },
  OAuthError: { error: 'authorization_pending', error_description: 'Nobody has answered yet.' },
  ModelAnswer: {
    ...{ id: 'chatcmpl-1', object: 'chat.completion', created: 1795737600, model: 'gpt-6.1-sol' },
    choices: [{ index: 0, message: { role: 'assistant', content: 'Good day' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 8, completion_tokens: 2, total_tokens: 10 }
  },
  ModelEvent: {
    ...{ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1795737600, model: 'gpt-6.1-sol' },
    choices: [{ index: 0, delta: { content: 'Good' }, finish_reason: null }]
  },
  ScimResource: { schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], id: ID, ...scimUser },
  ScimError: {
    ...{ schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: '409', scimType: 'uniqueness' },
    detail: 'User name is already in use.'
  },
  Member: { userId: ADA, name: 'Ada', by: 'rule', rule: 'company:payments-team' },
  BoundSignIn: {
    ...{ id: ID, userId: ADA, provider: 'company', issuer: 'https://id.example.com', subject: '248289761001' },
    ...{ name: 'Ada', boundAt: AT }
  },
  InvitationPreview: { user: { name: 'Ada', ...roles, ...access }, expiresAt: LATER },
  BlockedAddress: { address: '203.0.113.7', failuresWith: 'oneSecret', seconds: 840 },
  Session: {
    ...{ user: { id: ADA, name: 'Ada', ...roles, ...avatar }, token: { id: ID, prefix: 'hbk_3f9a' } },
    capabilities: { dataApi: true, managementApi: false, llm: true, communication: true, discussionE2ee: false },
    ...{ mayCreate: ['collection', 'environment', 'snippet'], tenantId: 'hub', hub }
  },
  ChatStep: { content: 'It lists payments and makes refunds.', toolCalls: [], usage },
  ChatEvent: { v: 1, type: 'delta.text', chunk: 'It lists', turnId: 'turn-1', stepIndex: 0 },
  Models: { models: [{ id: 'gpt-6-luna', label: 'Luna', provider: 'openai' }], capabilities: { openai: true } },
  MonthlyUsage: { period: '2026-03', totalTokens: 470, limit: 100000 },
  Undeleted: { kind: 'collection', id: COLLECTION, restored: { collection: 1, folder: 2, request: 9 } },
  Undo: {
    ...{ preview: false, position: 4711, requestId: 'undo-1f0c2d3e-4a5b-4c2d-8e6f-1b0a9c8d7e65' },
    ...{ returned: [{ kind: 'folder', id: OTHER, name: 'Refunds' }], reverted: [], removed: [] },
    kept: [{ kind: 'request', id: ID, name: 'List payments', reason: 'somebody has changed it since' }]
  },
  DeletedRecord: {
    ...{ kind: 'request', id: ID, name: 'List payments', collectionId: COLLECTION },
    ...{ collection: { id: COLLECTION, name: 'Payments' }, deletedAt: AT, deletedByUserId: ADA, deletedBy: who },
    ...{ position: 4711, held: { folders: 0, requests: 0, documents: 0 } }
  },
  History: {
    versions: [{ version: 2, position: 4711, at: AT, type: 'RequestUpdated', by: person, changed: ['method'] }],
    count: 2
  },
  Difference: { from: 1, to: 2, changes: [fieldChange] },
  Change: change,
  ChangePage: { changes: [change], position: 4711, cursor: '4711-4711-0123456789ab', more: false },
  AuditEntry: {
    ...{ position: 4711, at: AT, type: 'RequestUpdated', resource: { kind: 'request', id: ID, name: 'List payments' } },
    ...{ actor: who, token: { id: ID, name: 'Laptop' }, address: '203.0.113.7', requestId: 'req-1', causation: null },
    changes: [fieldChange]
  },
  Webhook: webhook,
  WebhookWithSecret: { webhook, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
  WebhookDeliveries: {
    position: 4711,
    end: 4712,
    failing: null,
    deliveries: [{ position: 4711, type: 'RequestUpdated', at: AT, attempt: 1, ...attempt }]
  },
  WebhookAttempt: attempt,
  Notice: {
    ...{ id: ID, eventType: 'request.updated', entityType: 'request', entityId: ID, requestId: ID },
    ...{ collectionId: COLLECTION, folderId: null, runResultId: null, discussionThreadId: null },
    ...{ discussionCommentId: null, actor: person, createdAt: AT, readAt: null },
    displayMetadata: { actorName: 'Ada', targetLabel: 'List payments', method: 'GET', requestName: 'List payments' }
  }
}

/** The same by operation, where the schema has no name. */
export const OWN_ANSWERS: Readonly<Record<string, unknown>> = {
  importCollection: {
    ...{ preview: false, format: 'curl', part: 'file' },
    parts: [{ id: 'file', name: '', brings: 'collection', format: 'curl' }],
    ...{ brings: 'collection', collection: { id: COLLECTION, name: 'Payments' } },
    counts: { created: 1, updated: 0, deleted: 0, unchanged: 0, conflicts: 0, gone: 0 },
    changes: [{ change: 'create', kind: 'request', id: ID, name: 'List payments', path: [] }],
    ...{ notes: [], position: 4711 }
  },
  enrollDevice: { device: ANSWERS.Device },
  setNotificationSettings: { level: 'mentions', updatedAt: AT },
  getNotificationSettings: { level: 'all', updatedAt: AT },
  listSignInProviders: { providers: [{ id: 'company', name: 'Company' }] },
  createDesktopLink: {
    link: 'https://hub.example.com/join?url=https%3A%2F%2Fhub.example.com&name=Ada&role=user#code=hbi_0123456789abcdef',
    ...{ expiresAt: LATER, secret: 'hbi_0123456789abcdef' }
  },
  bindOwnSignIn: { location: 'https://id.example.com/authorize?client_id=collections-hub' },
  signOut: { location: null },
  registerProgram: {
    ...{ client_id: 'hbc_eyJjbGllbnRfbmFtZSI6IkFuIGVkaXRvciJ9.c2ln', client_name: 'An editor' },
    ...{ redirect_uris: ['http://127.0.0.1:33418/callback'], token_endpoint_auth_method: 'none' }
  },
  askByDevice: {
    ...{
      device_code: 'GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS',
      user_code: 'HWVN-KSPM',
      expires_in: 600,
      interval: 5
    },
    verification_uri: 'https://hub.example.com/auth/device',
    verification_uri_complete: 'https://hub.example.com/auth/device?user_code=HWVN-KSPM'
  },
  getProgramToken: { access_token: 'hbk_0123456789abcdef', token_type: 'Bearer', expires_in: 7776000, scope: 'read' },
  answerQuestion: { location: null },
  issueTicket: { ticket: 'hbt_Zr8Kc1Vt5Lw2Xp7Ys4Nd6Hb9', expiresAt: AT },
  sendMcpMessage: { jsonrpc: '2.0', id: 1, result: { tools: [] } }
}

/** What webhooks are sent, by the kind of message. */
export const MESSAGES = {
  change: { type: change.type, timestamp: AT, data: change },
  test: { type: 'webhook.test', timestamp: AT, data: { webhookId: ID } }
} as const
