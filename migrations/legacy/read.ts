import { z } from 'zod'
import { auth, keyValue, noAuth, variable } from '../../commands/content.js'
import { BODY_TYPES, METHODS, PROTOCOLS } from '../../commands/request/events.js'
import { RUN_KINDS } from '../../commands/runResult/events.js'
import { SCOPES } from '../../commands/snippet/events.js'

/**
 * Records of the plain tables as an older hub kept them. Lists and objects are JSON in text there (plain values in
 * Firestore), booleans may be 0 and 1, and columns that came later may be missing or null.
 */

const id = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[\x21-\x7e]+$/)
const maybeId = id.nullish().transform((value) => value ?? null)
const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '')
const maybeText = z
  .string()
  .nullish()
  .transform((value) => value || null)
/** Not every database can hold what another one could in a name. */
const name = z.string().transform((value) => value.replaceAll('\0', '').toWellFormed())
const flag = z
  .union([z.boolean(), z.number()])
  .nullish()
  .transform((value) => value === true || value === 1)
const count = z.coerce.number().int().catch(0)
const time = z.coerce.date().transform((value) => value.toISOString())
const maybeTime = time.nullish().transform((value) => value ?? null)

const parsed = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value, context) => {
    if (typeof value !== 'string') return value ?? undefined
    try {
      return value.trim() === '' ? undefined : JSON.parse(value)
    } catch {
      context.addIssue('is not JSON')
      return z.NEVER
    }
  }, schema)

const access = parsed(z.array(z.string()).default([]))

const attributed = {
  id,
  createdAt: time,
  updatedAt: maybeTime,
  createdByUserId: maybeId,
  updatedByUserId: maybeId,
  tenantId: z.string().nullish()
}
const content = { preRequestScript: text, postRequestScript: text, marker: maybeText }

/** The schema of each table that is taken over, by its name in SQL. */
export const legacyTables = {
  users: z.object({
    ...attributed,
    name,
    role: z.enum(['user', 'admin', 'system']).catch('user'),
    collectionAccess: access,
    environmentAccess: access,
    snippetAccess: access,
    llmAccess: flag,
    llmModels: access,
    llmMonthlyTokenLimit: z.coerce
      .number()
      .int()
      .min(0)
      .nullish()
      .transform((value) => value ?? null)
  }),
  api_tokens: z.object({
    ...attributed,
    userId: maybeId,
    name: text,
    tokenHash: z.string().regex(/^[0-9a-f]{64}$/i),
    tokenPrefix: text,
    revokedAt: maybeTime,
    lastUsedAt: maybeTime
  }),
  user_invitations: z.object({
    ...attributed,
    userId: id,
    codeHash: z.string().regex(/^[0-9a-f]{64}$/i),
    codePrefix: text,
    expiresAt: time,
    redeemedAt: maybeTime,
    revokedAt: maybeTime
  }),
  collections: z.object({
    ...attributed,
    ...content,
    name: text.pipe(name),
    variables: parsed(z.array(variable).default([])),
    headers: parsed(z.array(keyValue).default([])),
    auth: parsed(auth.default(noAuth)),
    deletionLocked: flag
  }),
  environments: z.object({
    ...attributed,
    name,
    variables: parsed(z.array(variable).default([])),
    marker: maybeText,
    parentUuid: maybeId,
    deletionLocked: flag
  }),
  snippets: z.object({
    ...attributed,
    name,
    code: text,
    scope: z.enum(SCOPES).catch('any'),
    sortOrder: count,
    deletionLocked: flag
  }),
  folders: z.object({
    ...attributed,
    collectionId: id,
    parentFolderId: maybeId,
    name,
    sortOrder: count,
    marker: maybeText
  }),
  requests: z.object({
    ...attributed,
    ...content,
    collectionId: id,
    folderId: maybeId,
    name,
    method: z.enum(METHODS),
    url: text,
    headers: parsed(z.array(keyValue).default([])),
    params: parsed(z.array(keyValue).default([])),
    auth: parsed(auth.default(noAuth)),
    body: text,
    bodyType: z.enum(BODY_TYPES).catch('none'),
    comment: text,
    protocol: z.enum(PROTOCOLS).catch('http'),
    sortOrder: count
  }),
  documents: z.object({
    ...attributed,
    collectionId: id,
    folderId: maybeId,
    name,
    content: text,
    sortOrder: count,
    marker: maybeText
  }),
  run_results: z.object({
    id,
    kind: z.enum(RUN_KINDS),
    label: text,
    collectionName: maybeText,
    requestName: maybeText,
    summaryPassed: count,
    summaryFailed: count,
    summarySkipped: count,
    payload: parsed(z.record(z.string(), z.unknown())),
    createdAt: time,
    createdByUserId: maybeId,
    tenantId: z.string().nullish()
  }),
  llm_usage: z.object({
    id,
    userId: id,
    period: z.string().regex(/^\d{4}-\d{2}$/),
    promptTokens: count,
    completionTokens: count,
    totalTokens: count,
    tenantId: z.string().nullish()
  }),
  llm_usage_log: z.object({
    id,
    userId: id,
    apiTokenId: maybeId,
    period: z.string().regex(/^\d{4}-\d{2}$/),
    model: z.string(),
    provider: z.string(),
    promptTokens: count,
    completionTokens: count,
    totalTokens: count,
    isNewTurn: flag,
    hadToolCalls: flag,
    messageCount: count,
    createdAt: time,
    tenantId: z.string().nullish()
  }),
  audit_log: z.object({
    id,
    userId: maybeId,
    userName: maybeText,
    action: z.string(),
    entityType: text,
    entityId: text,
    createdAt: time,
    metadata: parsed(z.unknown()),
    tenantId: z.string().nullish()
  })
} as const

export type LegacyTable = keyof typeof legacyTables
export type LegacyRecord<T extends LegacyTable> = z.infer<(typeof legacyTables)[T]>

/** Names that the same tables have as Firestore collections. */
export const documentNames: Readonly<Record<LegacyTable, string>> = {
  users: 'users',
  api_tokens: 'apiTokens',
  user_invitations: 'userInvitations',
  collections: 'collections',
  environments: 'environments',
  snippets: 'snippets',
  folders: 'folders',
  requests: 'requests',
  documents: 'documents',
  run_results: 'runResults',
  llm_usage: 'llmUsage',
  llm_usage_log: 'llmUsageLog',
  audit_log: 'auditLog'
}
