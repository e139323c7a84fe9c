import { z } from 'zod'
import type { NewEvent } from '../../src/log/event.js'
import { origin, wholeItem, wholeLockable } from '../content.js'
import { begin, type EventsOf, event, type Upcast } from '../event.js'
import { llmStep, tokenCounts } from '../llm/events.js'
import { avatar } from '../people/avatar/avatar.js'
import { account, accountFromVersion1 } from '../people/user/events.js'
import { collectionContent } from '../records/collection/events.js'
import { documentContent } from '../records/document/events.js'
import { environmentContent } from '../records/environment/events.js'
import { wholeFolder } from '../records/folder/events.js'
import { livePageContent, liveServerContent } from '../records/live/events.js'
import { requestContent } from '../records/request/events.js'
import { runResult } from '../records/runResult/events.js'
import { snippetContent } from '../records/snippet/events.js'
import { writtenComment } from '../talk/comment/events.js'
import { enrolled } from '../talk/device/events.js'
import { mlsCommitEvents, mlsWelcomeEvents } from '../talk/mls/events.js'
import { NOTICE_LEVELS } from '../talk/notification/events.js'

const people = { createdBy: z.string().nullable(), updatedBy: z.string().nullable() }
/** Version 1 did not say who had made or changed it. */
const fromNobody: Upcast = (data) => ({ createdBy: null, updatedBy: null, ...z.looseObject({}).parse(data) })
const sent = { createdAt: z.string(), createdBy: z.string().nullable() }

/** Records taken over from an older hub, each under its own id and as it was there. */
export const importEvents = {
  UserImported: begin(
    z.object({ account, avatar: avatar.nullable(), origin }),
    (data) => {
      const imported = z.looseObject({ account: z.unknown() }).parse(data)
      return { ...imported, account: accountFromVersion1(imported.account) }
    },
    // Version 2 brought no avatar.
    (data) => ({ avatar: null, ...z.looseObject({}).parse(data) })
  ),
  TokenImported: begin(
    z.object({
      userId: z.string(),
      name: z.string(),
      prefix: z.string(),
      hash: z.string(),
      createdAt: z.string(),
      revokedAt: z.string().nullable(),
      ...people
    }),
    fromNobody
  ),
  InvitationImported: begin(
    z.object({
      userId: z.string(),
      hash: z.string(),
      prefix: z.string(),
      createdAt: z.string(),
      expiresAt: z.string(),
      redeemedAt: z.string().nullable(),
      revokedAt: z.string().nullable(),
      ...people
    }),
    fromNobody
  ),
  CollectionImported: begin(wholeLockable(collectionContent)),
  EnvironmentImported: begin(wholeLockable(environmentContent)),
  SnippetImported: begin(wholeLockable(snippetContent)),
  LiveServerImported: begin(wholeLockable(liveServerContent)),
  LivePageImported: begin(wholeLockable(livePageContent)),
  FolderImported: begin(wholeFolder),
  RequestImported: begin(wholeItem(requestContent)),
  DocumentImported: begin(wholeItem(documentContent)),
  RunResultImported: begin(runResult.extend({ createdAt: z.string(), createdBy: z.string().nullable() })),
  /** A comment as it was at last; `retractedBy` is told of one that was taken back, which says nothing any more. */
  CommentImported: begin(
    writtenComment.extend({
      authorId: z.string().nullable(),
      createdAt: z.string(),
      updatedAt: z.string(),
      isRetracted: z.boolean(),
      retractedBy: z.string().nullable()
    })
  ),
  NoticeLevelImported: begin(z.object({ level: z.enum(NOTICE_LEVELS), updatedAt: z.string() })),
  ThreadSubscriptionImported: begin(z.object({ userId: z.string(), rootId: z.string(), at: z.string() })),
  DeviceImported: begin(
    enrolled.extend({
      userId: z.string(),
      createdAt: z.string(),
      revokedAt: z.string().nullable(),
      revokedBy: z.string().nullable()
    })
  ),
  MlsCommitImported: begin(mlsCommitEvents.MlsCommitPosted.data.extend(sent)),
  MlsWelcomeImported: begin(mlsWelcomeEvents.MlsWelcomePosted.data.extend(sent)),
  LlmStepImported: begin(llmStep.extend({ createdAt: z.string() })),
  /** The rollup decided limits there, so it counts; `unloggedTokens` is what its usage log does not explain. */
  LlmUsageImported: begin(tokenCounts.extend({ userId: z.string(), period: z.string(), unloggedTokens: z.number() })),
  /** An entry of the older hub's audit log: without before and after. */
  AuditEntryImported: begin(
    z.object({
      userId: z.string().nullable(),
      userName: z.string().nullable(),
      action: z.string(),
      entityType: z.string(),
      entityId: z.string(),
      createdAt: z.string(),
      metadata: z.unknown()
    })
  ),
  /** Somebody begins to take a tenant over. All such events are of one stream. */
  TakeoverBegun: event(z.object({ tenant: z.string() })),
  /** Everything of one tenant is taken over. */
  TakeoverCompleted: begin(z.object({ tables: z.record(z.string(), z.number()) }))
}
export type ImportEvent = EventsOf<typeof importEvents>

/** The kind of stream that each of them begins. */
export const importedKinds = {
  UserImported: 'user',
  TokenImported: 'token',
  InvitationImported: 'invitation',
  CollectionImported: 'collection',
  EnvironmentImported: 'environment',
  SnippetImported: 'snippet',
  LiveServerImported: 'liveServer',
  LivePageImported: 'livePage',
  FolderImported: 'folder',
  RequestImported: 'request',
  DocumentImported: 'document',
  RunResultImported: 'runresult',
  CommentImported: 'comment',
  NoticeLevelImported: 'notification',
  ThreadSubscriptionImported: 'subscription',
  DeviceImported: 'device',
  MlsCommitImported: 'mlscommit',
  MlsWelcomeImported: 'mlswelcome',
  LlmStepImported: 'llmstep',
  LlmUsageImported: 'llmusage',
  AuditEntryImported: 'legacyaudit',
  TakeoverBegun: 'takeovers',
  TakeoverCompleted: 'takeover'
} as const satisfies Readonly<Record<keyof typeof importEvents, string>>

/** Makes the event of a record taken over, which begins the record's stream. */
export function emitImported(id: string, type: keyof typeof importEvents, data: unknown): NewEvent {
  return { stream: `${importedKinds[type]}-${id}`, type, data }
}
