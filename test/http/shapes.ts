import { z } from 'zod'

/**
 * The records of section 2 with what clients of both generations require or understand, field by field: a field too few
 * or too many fails. `exactly` says which one.
 */
export const id = z.uuid()
export const timestamp = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

const keyValue = z.strictObject({ key: z.string(), value: z.string(), enabled: z.boolean() })
const variable = z.strictObject({
  key: z.string(),
  value: z.string(),
  defaultValue: z.string(),
  share: z.boolean(),
  enabled: z.boolean()
})
const auth = z.strictObject({
  type: z.enum(['none', 'basic', 'bearer']),
  basic: z.strictObject({ username: z.string(), password: z.string() }),
  bearer: z.strictObject({ token: z.string() })
})

const attribution = {
  createdAt: timestamp,
  updatedAt: timestamp,
  createdByUserId: id.nullable(),
  updatedByUserId: id.nullable()
}
const marker = z.string().min(1).nullable()

export const collection = z.strictObject({
  id,
  name: z.string(),
  variables: z.array(variable),
  headers: z.array(keyValue),
  auth,
  preRequestScript: z.string(),
  postRequestScript: z.string(),
  marker,
  deletionLocked: z.boolean(),
  ...attribution
})

export const folder = z.strictObject({
  id,
  collectionId: id,
  parentFolderId: id.nullable(),
  name: z.string(),
  sortOrder: z.int(),
  marker,
  ...attribution
})

export const savedRequest = z.strictObject({
  id,
  collectionId: id,
  folderId: id.nullable(),
  name: z.string(),
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']),
  url: z.string(),
  headers: z.array(keyValue),
  params: z.array(keyValue),
  auth,
  body: z.string(),
  bodyType: z.enum(['none', 'json', 'text', 'multipart', 'urlencoded']),
  preRequestScript: z.string(),
  postRequestScript: z.string(),
  comment: z.string(),
  protocol: z.enum(['http', 'sse']),
  sortOrder: z.int(),
  marker,
  ...attribution
})

export const document = z.strictObject({
  id,
  collectionId: id,
  folderId: id.nullable(),
  name: z.string(),
  content: z.string(),
  sortOrder: z.int(),
  marker,
  ...attribution
})

export const environment = z.strictObject({
  id,
  name: z.string(),
  variables: z.array(variable),
  marker,
  parentUuid: id.nullable(),
  deletionLocked: z.boolean(),
  ...attribution
})

export const snippet = z.strictObject({
  id,
  name: z.string(),
  code: z.string(),
  scope: z.enum(['pre-request', 'post-request', 'any']),
  sortOrder: z.int(),
  deletionLocked: z.boolean(),
  ...attribution
})

const anything = z.array(z.unknown())
const isEnabled = z.boolean().optional()
/** Section 1 of what the newest clients read: every field must be there but sortOrder. */
export const liveServer = z.strictObject({
  id,
  name: z.string().min(1),
  root: z.string(),
  host: z.string(),
  port: z.int().min(1).max(65535).nullable(),
  aliases: z.array(z.strictObject({ path: z.string(), target: z.string() })),
  watch: z.boolean(),
  cors: z.strictObject({
    enabled: z.boolean(),
    ...{ origin: z.string(), methods: z.string(), allowedHeaders: z.string() },
    ...{ exposedHeaders: z.string(), maxAge: z.string(), credentials: z.boolean() }
  }),
  openPath: z.string(),
  openPathOnStartup: z.boolean(),
  rememberLastUrl: z.boolean(),
  lastOpenedPath: z.string().nullable(),
  indexFiles: z.array(z.string()),
  headers: z.array(z.strictObject({ name: z.string(), value: z.string(), enabled: isEnabled })),
  routes: z.array(z.strictObject({ match: z.string(), target: z.string(), enabled: isEnabled })),
  errorPages: z.array(
    z.strictObject({ code: z.union([z.number(), z.string()]), path: z.string(), enabled: isEnabled })
  ),
  proxies: z.array(z.strictObject({ path: z.string(), target: z.string(), stripPath: isEnabled, enabled: isEnabled })),
  ssl: z.strictObject({ enabled: z.boolean(), certPath: z.string(), keyPath: z.string() }),
  runCommand: z.string(),
  runtimeId: z.string(),
  runCommandEnv: z.array(z.strictObject({ key: z.string(), value: z.string(), enabled: z.boolean() })),
  runCommandEnabled: z.boolean(),
  restartOnCrash: z.boolean(),
  urlVariable: z.string(),
  preRequestScripts: anything,
  postRequestScripts: anything,
  sortOrder: z.int().optional(),
  deletionLocked: z.boolean(),
  ...attribution
})

export const livePage = z.strictObject({
  id,
  name: z.string().min(1),
  url: z.string(),
  homeUrl: z.string(),
  faviconDataUrl: z.string().nullable(),
  scripts: anything,
  preRequestScripts: anything,
  postRequestScripts: anything,
  variables: anything,
  headers: anything,
  userAgent: z.string(),
  auth: z.unknown(),
  sortOrder: z.int().optional(),
  deletionLocked: z.boolean(),
  ...attribution
})

/** A collection, environment or other lockable thing as administrators list it. */
export const managed = z.strictObject({ id, name: z.string(), deletionLocked: z.boolean() })

const COLORS = ['sky', 'violet', 'emerald', 'amber', 'rose', 'cyan', 'indigo', 'teal'] as const

const color = z.enum(COLORS.map((color) => `${color}-600`))
const imageUrl = z.string().regex(/^\/auth\/(users\/[\w-]+|hub)\/avatar\?v=\d+$/)
export const avatar = {
  avatarInitials: z.string().min(1),
  avatarColor: color,
  avatarImageUrl: imageUrl.optional()
}
export const ownAvatar = z.strictObject(avatar)
const shownAvatar = { initials: z.string().min(1), color, imageUrl: imageUrl.optional() }
export const thisHub = z.strictObject({ name: z.literal('Default'), ...shownAvatar })

export const user = z.strictObject({
  id,
  name: z.string(),
  role: z.enum(['user', 'admin']),
  collectionAccess: z.array(z.string()),
  environmentAccess: z.array(z.string()),
  snippetAccess: z.array(z.string()),
  llmAccess: z.boolean(),
  llmModels: z.array(z.string()),
  llmMonthlyTokenLimit: z.int().min(0).nullable(),
  createdAt: timestamp,
  updatedAt: timestamp,
  ...avatar,
  liveServerAccess: z.array(z.string()),
  livePageAccess: z.array(z.string())
})
export const listedUser = user.extend({ warnings: z.array(z.string()) })

export const token = z.strictObject({
  id,
  userId: id,
  name: z.string().min(1),
  tokenPrefix: z.string().regex(/^hbk_[\w-]{8}$/),
  agentWrites: z.boolean(),
  createdAt: timestamp,
  lastUsedAt: timestamp.nullable(),
  revokedAt: timestamp.nullable()
})
export const secret = z.string().regex(/^hbk_[\w-]{43}$/)

export const invitation = z.strictObject({
  id,
  userId: id,
  codePrefix: z.string().regex(/^hbi_[\w-]{8}$/),
  expiresAt: timestamp,
  redeemedAt: timestamp.nullable(),
  revokedAt: timestamp.nullable(),
  createdAt: timestamp,
  status: z.enum(['pending', 'redeemed', 'revoked', 'expired'])
})

export const preview = z.strictObject({
  user: user.omit({
    id: true,
    llmMonthlyTokenLimit: true,
    createdAt: true,
    updatedAt: true,
    avatarInitials: true,
    avatarColor: true,
    avatarImageUrl: true
  }),
  expiresAt: timestamp
})

export const runResult = z.strictObject({
  id,
  kind: z.enum(['collection-run-results', 'request-run-results']),
  label: z.string().min(1),
  collectionName: z.string().nullable(),
  requestName: z.string().nullable(),
  summary: z.strictObject({ passed: z.int(), failed: z.int(), skipped: z.int() }),
  createdAt: timestamp,
  createdByUserId: id.nullable()
})
export const runResultDetail = runResult.extend({ payload: z.record(z.string(), z.unknown()) })

export const ticket = z.strictObject({ ticket: z.string().regex(/^hbt_[\w-]{43}$/), expiresAt: timestamp })

const reloaded = {
  status: z.enum(['reloaded', 'unchanged', 'failed', 'restart-required']),
  error: z.string().optional()
}
export const reloadReport = z.strictObject({
  sections: z.array(
    z.strictObject({ section: z.enum(['db', 'redis', 'llm', 'plugins', 'collaboration', 'server']), ...reloaded })
  ),
  others: z.array(z.strictObject({ section: z.string(), ...reloaded })).optional()
})

export const session = z.strictObject({
  user: z.strictObject({ id, name: z.string(), role: z.enum(['user', 'admin']), ...avatar }),
  token: z.strictObject({ id, prefix: z.string().regex(/^hbk_[\w-]{8}$/) }),
  capabilities: z.strictObject({
    dataApi: z.boolean(),
    managementApi: z.boolean(),
    llm: z.boolean(),
    communication: z.boolean(),
    discussionE2ee: z.boolean()
  }),
  tenantId: z.literal('__default__'),
  hub: thisHub
})

export const versionList = z.strictObject({
  versions: z.array(
    z.strictObject({
      version: z.int().min(1),
      position: z.int().min(1),
      at: timestamp,
      type: z.string(),
      by: z.strictObject({ id, name: z.string().nullable(), avatar: z.strictObject(shownAvatar).optional() }),
      changed: z.array(z.string()),
      deleted: z.literal(true).optional(),
      erased: z.literal(true).optional(),
      causation: z.int().optional()
    })
  ),
  count: z.int()
})

const fieldChange = z.strictObject({ path: z.string(), from: z.unknown().optional(), to: z.unknown().optional() })
export const changeList = z.strictObject({ from: z.int(), to: z.int(), changes: z.array(fieldChange) })

export const auditEntry = z.strictObject({
  position: z.int().min(1),
  at: timestamp,
  type: z.string(),
  resource: z.strictObject({ kind: z.string(), id: z.string(), name: z.string().nullable() }),
  actor: z.strictObject({ id, name: z.string().nullable() }),
  token: z.strictObject({ id, name: z.string().nullable() }).nullable(),
  address: z.string().nullable(),
  requestId: z.string().nullable(),
  causation: z.int().nullable(),
  changes: z.array(fieldChange),
  erased: z.literal(true).optional()
})

export const change = z.strictObject({
  position: z.int().min(1),
  at: timestamp,
  type: z.string(),
  kind: z.string(),
  id,
  collectionId: id.nullable(),
  actorId: id
})
export const changePage = z.strictObject({
  changes: z.array(change),
  position: z.int(),
  cursor: z.string(),
  more: z.boolean()
})

const person = z.union([
  z.strictObject({ id, name: z.string(), avatar: z.strictObject(shownAvatar) }),
  z.strictObject({ id: z.literal(''), name: z.literal('Unknown user') })
])
/** What clients of the newest generation take: a reference that is not there is left out. */
export const encryptedPayload = z.strictObject({
  ciphertext: z.string().min(1),
  mlsGroupId: z.string().min(1),
  epoch: z.int().min(0),
  senderDeviceId: z.uuidv4(),
  keyFormat: z.enum(['identity-v1', 'mls-v1']),
  commitRef: z.string().min(1).optional(),
  welcomeRef: z.string().min(1).optional()
})

export const comment = z.strictObject({
  id,
  entityType: z.enum(['request', 'collection', 'folder', 'runResult']),
  entityId: id,
  parentCommentId: id.nullable(),
  rootCommentId: id,
  depth: z.int().min(1).max(3),
  body: z.string().min(1).nullable(),
  bodyFormat: z.enum(['plaintext', 'encrypted']),
  encryptedPayload: encryptedPayload.nullable(),
  author: person,
  createdAt: timestamp,
  updatedAt: timestamp,
  tombstoned: z.boolean()
})
export const commentPage = z.strictObject({ comments: z.array(comment), nextCursor: z.string().optional() })

const target = id.nullable()
/** Every key must be there but those of displayMetadata. */
export const notice = z.strictObject({
  id,
  eventType: z.enum([
    'request.updated',
    'runResult.created',
    'runResult.failed',
    'discussion.comment',
    'discussion.reply',
    'discussion.mention'
  ]),
  entityType: z.enum(['request', 'collection', 'folder', 'runResult']),
  entityId: id,
  ...{ requestId: target, collectionId: target, folderId: target, runResultId: target },
  ...{ discussionThreadId: target, discussionCommentId: target },
  actor: person,
  createdAt: timestamp,
  readAt: timestamp.nullable(),
  displayMetadata: z.strictObject({
    ...{ actorName: z.string(), targetLabel: z.string(), method: z.string().optional() },
    ...{ requestName: z.string().optional(), runLabel: z.string().optional(), previewText: z.string().optional() }
  })
})
export const noticePage = z.strictObject({ notices: z.array(notice), nextCursor: z.string().optional() })
export const noticeSettings = z.strictObject({ level: z.enum(['all', 'mentions', 'none']), updatedAt: timestamp })

/** The list reply that holds these records under `name`, and nothing else. */
export function listOf<S extends z.ZodType>(name: string, record: S) {
  return z.strictObject({ [name]: z.array(record) })
}

/** The value as the shape has it; throws with the path of what does not fit. */
export function exactly<S extends z.ZodType>(shape: S, value: unknown): z.infer<S> {
  const result = shape.safeParse(value)
  if (result.success) return result.data
  throw new Error(`${z.prettifyError(result.error)}\nin ${JSON.stringify(value)}`)
}

export const searchPage = z.strictObject({
  results: z.array(
    z.strictObject({
      kind: z.enum(['collection', 'environment', 'snippet', 'folder', 'request', 'document']),
      id,
      name: z.string(),
      collectionId: id.nullable(),
      folderId: id.nullable(),
      snippets: z.array(
        z.strictObject({ field: z.string(), text: z.string(), matches: z.array(z.tuple([z.int(), z.int()])) })
      )
    })
  ),
  nextCursor: z.string().nullable(),
  isComplete: z.boolean(),
  position: z.int()
})
