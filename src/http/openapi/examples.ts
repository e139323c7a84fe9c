export const auth = { type: 'none', basic: { username: '', password: '' }, bearer: { token: '' } }
export const ID = '0b9f3a52-6a3e-4c55-9d5c-6f3a1f0f7a11'
export const OTHER = '5f0e2d84-1c7b-4f5e-8a55-2f8a0d1c9b22'
export const DEVICE = '9d3b1f60-2c4e-4b7a-9f3d-5a1e7c2b8d40'

const request = {
  name: 'List payments',
  method: 'GET',
  url: 'https://api.example.com/payments',
  headers: [{ key: 'accept', value: 'application/json', enabled: true }],
  params: [{ key: 'limit', value: '20', enabled: true }],
  auth,
  body: '',
  bodyType: 'none',
  preRequestScript: '',
  postRequestScript: '',
  comment: '',
  folderId: null
}
export const variable = { key: 'host', value: 'api.example.com', defaultValue: '', share: true, enabled: true }
export const snippet = {
  name: 'Sign the request',
  code: 'hb.request.headers.add("x-signed", "yes")',
  scope: 'pre-request'
}
const account = { name: 'Ada', role: 'user', collectionAccess: ['*'], environmentAccess: ['*'], snippetAccess: ['*'] }
const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
export const scimUser = {
  ...{ userName: 'ada@example.com', externalId: '00u1', active: true, displayName: 'Ada Lovelace' },
  ...{ name: { givenName: 'Ada', familyName: 'Lovelace' }, emails: [{ value: 'ada@example.com', primary: true }] }
}
const document = { name: 'Read me.md', content: '# Payments', folderId: null }
const liveServer = { name: 'Mock of payments', root: '/home/ada/mock', port: 4010 }
const livePage = { name: 'Dashboard', url: 'https://dashboard.example.com/' }
const lock = { deletionLocked: true }
const deleted = { kind: 'collection', id: ID }
const avatar = { initials: 'AL', color: 'teal-600' }
export const group = { mlsGroupId: `thread:request:${ID}` }
const webhook = {
  url: 'https://ci.example.com/hook',
  kinds: ['request'],
  types: [],
  collectionId: ID,
  description: 'CI'
}
const chat = {
  model: 'gpt-6-luna',
  messages: [{ role: 'user', content: 'What does this collection do?' }],
  tools: [],
  systemPrompt: ''
}

const LOCKED = ['Collection', 'Environment', 'LiveServer', 'LivePage']
const SHARED = [...LOCKED, 'Snippet']

/** The same for operations whose names differ in what they are about. */
function ofEach(verb: string, labels: readonly string[], example: object): Readonly<Record<string, object>> {
  return Object.fromEntries(labels.map((label) => [verb + label, example]))
}

/** What a body may look like, by operation. A test parses each with the schema of its route. */
export const EXAMPLES: Readonly<Record<string, unknown>> = {
  ...ofEach('restore', [...SHARED, 'Folder', 'Request', 'Document'], { version: 1 }),
  ...ofEach('share', SHARED, { role: 'viewer' }),
  ...ofEach('lock', LOCKED, lock),
  ...ofEach('commentOn', ['Request', 'Collection', 'Folder', 'RunResult'], { body: 'Why does this answer 409?' }),
  createCollection: { name: 'Payments' },
  updateCollection: {
    name: 'Payments',
    variables: [variable],
    headers: [],
    auth,
    preRequestScript: '',
    postRequestScript: ''
  },
  importCollection: { content: "curl 'https://api.example.com/payments?limit=20'", format: 'curl' },
  copyCollection: { name: 'Payments (copy)' },
  copyFolder: { name: 'Refunds (copy)' },
  transferFolder: { collectionId: '7d1f7c1e-6d0a-4a43-9f3d-0b6c3b1f7f10', parentFolderId: null },
  copyEnvironment: { name: 'Staging (copy)' },
  createEnvironment: { name: 'Staging' },
  updateEnvironment: { name: 'Staging', variables: [variable] },
  createSnippet: snippet,
  updateSnippet: snippet,
  createSnippetAsAdmin: snippet,
  updateSnippetAsAdmin: lock,
  createLiveServer: liveServer,
  updateLiveServer: liveServer,
  createLivePage: livePage,
  updateLivePage: livePage,
  createFolder: { name: 'Refunds' },
  updateFolder: { name: 'Refunds' },
  moveFolder: { parentFolderId: null, sortOrder: 0 },
  reorderFolders: { orderedFolderIds: [ID, OTHER] },
  createRequest: request,
  updateRequest: { ...request, collectionId: ID },
  moveRequest: { folderId: null, index: 0 },
  reorderRequests: { folderId: null, orderedRequestIds: [ID, OTHER] },
  createDocument: document,
  updateDocument: { ...document, collectionId: ID },
  moveDocument: { folderId: null, index: 0 },
  reorderDocuments: { folderId: null, orderedDocumentIds: [ID, OTHER] },
  shareRunResult: {
    label: 'Nightly',
    payload: {
      harborclientExport: 'collection-run-results',
      collection: { name: 'Payments' },
      results: [{ requestName: 'List payments', status: 'passed' }]
    }
  },
  replyToComment: { body: '@Ada Send the version that you have read.' },
  editComment: { body: 'Why does this answer 409 and not 412?' },
  enrollDevice: { deviceId: DEVICE, label: 'Laptop', publicKeyMaterial: 'MCowBQYDK2VuAyEA', keyFormat: 'identity-v1' },
  postMlsCommit: { ...group, epoch: 1, ciphertext: 'AAEAAg==', senderDeviceId: DEVICE },
  postMlsWelcome: { ...group, recipientDeviceId: DEVICE, ciphertext: 'AAMAAQ==', ratchetTree: 'AQIDBA==' },
  setNotificationSettings: { level: 'mentions' },
  undeleteRecord: deleted,
  undeleteOwnRecord: deleted,
  undoChanges: { token: ID, from: '2026-03-04' },
  changeOwnAvatar: avatar,
  changeHubAvatar: avatar,
  createUser: account,
  updateUser: { collectionAccess: [ID] },
  createToken: { name: 'Laptop' },
  createOwnToken: { name: 'Nightly report', expiresAt: '2030-01-31T00:00:00Z', scopes: ['read'] },
  setGrants: { grants: [{ kind: 'collection', id: ID, role: 'viewer' }] },
  registerProgram: { client_name: 'An editor', redirect_uris: ['http://127.0.0.1:33418/callback'] },
  askByDevice: { client_id: 'terminal', scope: 'read' },
  getProgramToken: {
    ...{ grant_type: 'urn:ietf:params:oauth:grant-type:device_code', client_id: 'terminal' },
    device_code: 'GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS'
  },
  answerQuestion: { approve: true },
  createScimUser: scimUser,
  replaceScimUser: { ...scimUser, active: false },
  patchScimUser: { schemas: [PATCH_OP], Operations: [{ op: 'replace', path: 'active', value: false }] },
  createScimGroup: { displayName: 'Payments', externalId: '00g1', members: [{ value: ID }] },
  replaceScimGroup: { displayName: 'Payments', externalId: '00g1', members: [] },
  patchScimGroup: { schemas: [PATCH_OP], Operations: [{ op: 'add', path: 'members', value: [{ value: ID }] }] },
  createGroup: { name: 'Payments', collectionAccess: [ID] },
  createLlmBudget: { name: 'Payments', subject: 'group', subjectId: ID, unit: 'usd', period: 'month', limit: 25.5 },
  updateLlmBudget: { limit: 40 },
  updateGroup: { environmentAccess: [ID] },
  bindOwnSignIn: { provider: 'company' },
  bindSignIn: { provider: 'company', subject: '248289761001', displayName: 'Ada' },
  endSessionsByProvider: { logout_token: 'eyJhbGciOiJSUzI1NiIsInR5cCI6ImxvZ291dCtqd3QifQ.eyJzdWIiOiJhZGEifQ.c2ln' },
  inviteUser: { ...account, expiresInHours: 24 },
  createInvitation: { expiresInHours: 24 },
  previewInvitation: { secret: 'hbi_0123456789abcdef' },
  redeemInvitation: { secret: 'hbi_0123456789abcdef', tokenName: 'Laptop' },
  createWebhook: webhook,
  changeWebhook: { ...webhook, isEnabled: true },
  replayWebhook: { after: 4710 },
  runChatStep: chat,
  streamChatStep: { ...chat, turnId: 'turn-1', stepIndex: 0 },
  createChatCompletion: { model: 'gpt-6.1-sol', messages: [{ role: 'user', content: 'Hello' }] },
  createResponse: { model: 'gpt-6.1-sol', input: 'Hello' },
  createEmbeddings: { model: 'gpt-6.1-sol', input: 'Hello' },
  createMessage: { model: 'claude-sonnet-5-5', max_tokens: 1024, messages: [{ role: 'user', content: 'Hello' }] },
  countTokens: { model: 'claude-sonnet-5-5', messages: [{ role: 'user', content: 'Hello' }] },
  sendMcpMessage: { jsonrpc: '2.0', id: 1, method: 'tools/list' }
}
