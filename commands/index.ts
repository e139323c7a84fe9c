import type { NewEvent } from '../src/log/event.js'
import { type AuditCommand, auditDeciders } from './audit/decide.js'
import { emitAudit } from './audit/events.js'
import { emitChain } from './chain/events.js'
import { type CollectionCommand, collectionDeciders } from './collection/decide.js'
import { emitCollection } from './collection/events.js'
import { type CommentCommand, commentDeciders } from './comment/decide.js'
import { emitComment } from './comment/events.js'
import type { Context, Deciders, Decision } from './context.js'
import { type DeviceCommand, deviceDeciders } from './device/decide.js'
import { emitDevice } from './device/events.js'
import { type DocumentCommand, documentDeciders } from './document/decide.js'
import { emitDocument } from './document/events.js'
import { type EnvironmentCommand, environmentDeciders } from './environment/decide.js'
import { emitEnvironment } from './environment/events.js'
import { type ErasureCommand, erasureDeciders } from './erasure/decide.js'
import { emitErasure } from './erasure/events.js'
import { codecOf, type EventDefinition, type EventDefinitions } from './event.js'
import { type FolderCommand, folderDeciders } from './folder/decide.js'
import { emitFolder } from './folder/events.js'
import { type HubCommand, hubDeciders } from './hub/decide.js'
import { emitHub } from './hub/events.js'
import { emitKey } from './idempotency/events.js'
import { type ImportCommand, importDeciders } from './import/decide.js'
import { importEvents, importedKinds } from './import/events.js'
import { type InvitationCommand, invitationDeciders } from './invitation/decide.js'
import { emitInvitation } from './invitation/events.js'
import { type LiveCommand, liveDeciders } from './live/decide.js'
import { emitLivePage, emitLiveServer } from './live/events.js'
import { type LlmCommand, llmDeciders } from './llm/decide.js'
import { emitLlm } from './llm/events.js'
import { type MlsCommand, mlsDeciders } from './mls/decide.js'
import { emitMlsCommit, emitMlsWelcome } from './mls/events.js'
import { type NotificationCommand, notificationDeciders } from './notification/decide.js'
import { emitNotification, emitSubscription } from './notification/events.js'
import { emitProjections } from './projections/events.js'
import { type RequestCommand, requestDeciders } from './request/decide.js'
import { emitRequest } from './request/events.js'
import { type RevertCommand, revertDeciders } from './revert/decide.js'
import { type RunResultCommand, runResultDeciders } from './runResult/decide.js'
import { emitRunResult } from './runResult/events.js'
import { type SnippetCommand, snippetDeciders } from './snippet/decide.js'
import { emitSnippet } from './snippet/events.js'
import { type SourceCommand, sourceDeciders } from './source/decide.js'
import { emitSource } from './source/events.js'
import { type TenantCommand, tenantDeciders } from './tenant/decide.js'
import { emitTenant } from './tenant/events.js'
import { type TokenCommand, tokenDeciders } from './token/decide.js'
import { emitToken } from './token/events.js'
import { type UndeleteCommand, undeleteDeciders } from './undelete/decide.js'
import { type UserCommand, userDeciders } from './user/decide.js'
import { emitUser } from './user/events.js'
import { type WebhookCommand, webhookDeciders } from './webhook/decide.js'
import { emitWebhook } from './webhook/events.js'

export type Command =
  | UserCommand
  | TokenCommand
  | InvitationCommand
  | CollectionCommand
  | EnvironmentCommand
  | SnippetCommand
  | LiveCommand
  | FolderCommand
  | RequestCommand
  | DocumentCommand
  | RunResultCommand
  | LlmCommand
  | ImportCommand
  | AuditCommand
  | ErasureCommand
  | UndeleteCommand
  | RevertCommand
  | SourceCommand
  | WebhookCommand
  | CommentCommand
  | NotificationCommand
  | DeviceCommand
  | MlsCommand
  | HubCommand
  | TenantCommand

/** Every type of command, with what decides on it. */
const deciders: Deciders<Command> = {
  ...userDeciders,
  ...tokenDeciders,
  ...invitationDeciders,
  ...collectionDeciders,
  ...environmentDeciders,
  ...snippetDeciders,
  ...liveDeciders,
  ...folderDeciders,
  ...requestDeciders,
  ...documentDeciders,
  ...runResultDeciders,
  ...llmDeciders,
  ...importDeciders,
  ...auditDeciders,
  ...erasureDeciders,
  ...undeleteDeciders,
  ...revertDeciders,
  ...sourceDeciders,
  ...webhookDeciders,
  ...commentDeciders,
  ...notificationDeciders,
  ...deviceDeciders,
  ...mlsDeciders,
  ...hubDeciders,
  ...tenantDeciders
}

// A method's parameter is bivariant: what decides on one type of command fits here, and is given no other.
type AnyDecider = { decide(command: Command, context: Context): Decision }['decide']
const deciderOf: Readonly<Record<Command['type'], AnyDecider>> = deciders

/**
 * Decides what happens, or refuses with an error of the catalogue. Emits nothing where nothing would change.
 * Depends on nothing but the command and the context, so deciding again on the same state gives the same events.
 */
export async function decide(command: Command, context: Context): Promise<readonly NewEvent[]> {
  return deciderOf[command.type](command, context)
}

/** Every aggregate's events. What a new one emits is known by its entry here, and so is the kind of its streams. */
const emitters = [
  emitUser,
  emitToken,
  emitCollection,
  emitFolder,
  emitRequest,
  emitDocument,
  emitEnvironment,
  emitSnippet,
  emitLiveServer,
  emitLivePage,
  emitInvitation,
  emitRunResult,
  emitLlm,
  emitAudit,
  emitChain,
  emitErasure,
  emitSource,
  emitKey,
  emitProjections,
  emitWebhook,
  emitComment,
  emitNotification,
  emitSubscription,
  emitDevice,
  emitMlsCommit,
  emitMlsWelcome,
  emitHub,
  emitTenant
]

/** Every type of event. */
export const eventDefinitions: EventDefinitions = Object.fromEntries(
  [...emitters.map(({ definitions }) => definitions), importEvents].flatMap((all) =>
    Object.entries<EventDefinition>(all)
  )
)

/** The kinds of stream that there are. Restored records go on in streams of the kinds that they had. */
export const STREAM_KINDS: readonly string[] = [
  ...new Set([...emitters.map(({ kind }) => kind), ...Object.values(importedKinds)])
]

/** Every type of event, for reading and writing the log. */
export const codec = codecOf(eventDefinitions)
