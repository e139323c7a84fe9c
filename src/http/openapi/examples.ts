const auth = { type: 'none', basic: { username: '', password: '' }, bearer: { token: '' } }
const ID = '0b9f3a52-6a3e-4c55-9d5c-6f3a1f0f7a11'
const OTHER = '5f0e2d84-1c7b-4f5e-8a55-2f8a0d1c9b22'

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
const variable = { key: 'host', value: 'api.example.com', defaultValue: '', share: true, enabled: true }
const snippet = { name: 'Sign the request', code: 'hb.request.headers.add("x-signed", "yes")', scope: 'pre-request' }
const account = { name: 'Ada', role: 'user', collectionAccess: ['*'], environmentAccess: ['*'], snippetAccess: ['*'] }
const document = { name: 'Read me.md', content: '# Payments', folderId: null }

/** What a body may look like, by operation. A test parses each with the schema of its route. */
export const EXAMPLES: Readonly<Record<string, unknown>> = {
  createCollection: { name: 'Payments' },
  updateCollection: {
    name: 'Payments',
    variables: [variable],
    headers: [],
    auth,
    preRequestScript: '',
    postRequestScript: ''
  },
  lockCollection: { deletionLocked: true },
  createEnvironment: { name: 'Staging' },
  updateEnvironment: { name: 'Staging', variables: [variable] },
  createSnippet: snippet,
  updateSnippet: snippet,
  createFolder: { name: 'Refunds' },
  moveFolder: { parentFolderId: null, sortOrder: 0 },
  reorderFolders: { orderedFolderIds: [ID, OTHER] },
  createRequest: request,
  updateRequest: { ...request, collectionId: ID },
  moveRequest: { folderId: null, index: 0 },
  reorderRequests: { folderId: null, orderedRequestIds: [ID, OTHER] },
  createDocument: document,
  updateDocument: { ...document, collectionId: ID },
  moveDocument: { folderId: null, index: 0 },
  shareRunResult: {
    label: 'Nightly',
    payload: {
      harborclientExport: 'collection-run-results',
      collection: { name: 'Payments' },
      results: [{ requestName: 'List payments', status: 200, testResults: [{ name: 'It is there', passed: true }] }]
    }
  },
  restoreCollection: { version: 1 },
  commentOnRequest: { body: 'Why does this answer 409?' },
  undeleteRecord: { kind: 'collection', id: ID },
  createUser: account,
  updateUser: { collectionAccess: [ID] },
  createToken: { name: 'Laptop' },
  inviteUser: { ...account, expiresInHours: 24 },
  redeemInvitation: { secret: 'hbi_0123456789abcdef', tokenName: 'Laptop' },
  runChatStep: {
    model: 'gpt-6-luna',
    messages: [{ role: 'user', content: 'What does this collection do?' }],
    tools: [],
    systemPrompt: ''
  }
}
