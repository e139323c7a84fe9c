import { z } from 'zod'
import { auth, keyValue, noAuth, variable } from '../../commands/content.js'
import { eachAccessList } from '../../commands/people/user/events.js'
import { BODY_TYPES, METHODS, PROTOCOLS } from '../../commands/records/request/fields.js'
import { RUN_KINDS } from '../../commands/records/runResult/events.js'
import { SCOPES } from '../../commands/records/snippet/fields.js'
import {
  access,
  attributed,
  avatarColumns,
  count,
  flag,
  id,
  maybeId,
  maybeText,
  maybeTime,
  name,
  own,
  parsed,
  text,
  time
} from './columns.js'
import { newerTables } from './readNewer.js'

const content = { preRequestScript: text, postRequestScript: text, marker: maybeText }

/** The schema of each table that is taken over, by its name in SQL: its records as an older hub kept them. */
export const legacyTables = {
  users: z.object({
    ...attributed,
    name,
    role: z.enum(['user', 'admin', 'system']).catch('user'),
    ...eachAccessList(access),
    ...avatarColumns,
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
    ...own,
    userId: maybeId,
    name: text,
    tokenHash: z.string().regex(/^[0-9a-f]{64}$/i),
    tokenPrefix: text,
    revokedAt: maybeTime,
    lastUsedAt: maybeTime,
    createdByUserId: maybeId,
    updatedByUserId: maybeId
  }),
  user_invitations: z.object({
    ...own,
    userId: id,
    codeHash: z.string().regex(/^[0-9a-f]{64}$/i),
    codePrefix: text,
    expiresAt: time,
    redeemedAt: maybeTime,
    revokedAt: maybeTime,
    createdByUserId: maybeId,
    updatedByUserId: maybeId
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
    ...own,
    kind: z.enum(RUN_KINDS),
    label: text,
    collectionName: maybeText,
    requestName: maybeText,
    summaryPassed: count,
    summaryFailed: count,
    summarySkipped: count,
    payload: parsed(z.record(z.string(), z.unknown())),
    createdByUserId: maybeId
  }),
  llm_usage: z.object({
    id,
    userId: id,
    period: z.string().regex(/^\d{4}-\d{2}$/),
    promptTokens: count,
    completionTokens: count,
    totalTokens: count,
    tenantId: own.tenantId
  }),
  llm_usage_log: z.object({
    ...own,
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
    messageCount: count
  }),
  audit_log: z.object({
    ...own,
    userId: maybeId,
    userName: maybeText,
    action: z.string(),
    entityType: text,
    entityId: text,
    metadata: parsed(z.unknown())
  }),
  ...newerTables
} as const

export type LegacyTable = keyof typeof legacyTables
export type LegacyRecord<T extends LegacyTable> = z.infer<(typeof legacyTables)[T]>

export const camel = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** The name that the same table has as a Firestore collection. */
export function documentName(table: LegacyTable): string {
  return camel(table)
}

/** The columns whose values tell the records of a table apart. */
export function keyOf(table: LegacyTable): readonly string[] {
  return KEYS[table] ?? ['id']
}

const KEYS: Readonly<Partial<Record<LegacyTable, readonly string[]>>> = {
  user_notification_settings: ['user_id'],
  discussion_thread_subscriptions: ['user_id', 'root_comment_id'],
  discussion_mls_group_state: ['mls_group_id']
}
