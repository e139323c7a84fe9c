import type { NewEvent } from '../src/log/event.js'
import { type AuditCommand, decideAudit } from './audit/decide.js'
import { emitAudit } from './audit/events.js'
import { emitChain } from './chain/events.js'
import { type CollectionCommand, decideCollection } from './collection/decide.js'
import { emitCollection } from './collection/events.js'
import { type CommentCommand, decideComment } from './comment/decide.js'
import { emitComment } from './comment/events.js'
import type { Context } from './context.js'
import { type DeviceCommand, decideDevice } from './device/decide.js'
import { emitDevice } from './device/events.js'
import { type DocumentCommand, decideDocument } from './document/decide.js'
import { emitDocument } from './document/events.js'
import { decideEnvironment, type EnvironmentCommand } from './environment/decide.js'
import { emitEnvironment } from './environment/events.js'
import { decideErasure, type ErasureCommand } from './erasure/decide.js'
import { emitErasure } from './erasure/events.js'
import { codecOf, type EventDefinition, type EventDefinitions } from './event.js'
import { decideFolder, type FolderCommand } from './folder/decide.js'
import { emitFolder } from './folder/events.js'
import { decideHub, type HubCommand } from './hub/decide.js'
import { emitHub } from './hub/events.js'
import { emitKey } from './idempotency/events.js'
import { decideImport, type ImportCommand } from './import/decide.js'
import { importEvents, importedKinds } from './import/events.js'
import { decideInvitation, type InvitationCommand } from './invitation/decide.js'
import { emitInvitation } from './invitation/events.js'
import { decideLive, type LiveCommand } from './live/decide.js'
import { emitLivePage, emitLiveServer } from './live/events.js'
import { decideLlm, type LlmCommand } from './llm/decide.js'
import { emitLlm } from './llm/events.js'
import { decideMls, type MlsCommand } from './mls/decide.js'
import { emitMlsCommit, emitMlsWelcome } from './mls/events.js'
import { decideNotification, type NotificationCommand } from './notification/decide.js'
import { emitNotification, emitSubscription } from './notification/events.js'
import { emitProjections } from './projections/events.js'
import { decideRequest, type RequestCommand } from './request/decide.js'
import { emitRequest } from './request/events.js'
import { decideRevert, type RevertCommand } from './revert/decide.js'
import { decideRunResult, type RunResultCommand } from './runResult/decide.js'
import { emitRunResult } from './runResult/events.js'
import { decideSnippet, type SnippetCommand } from './snippet/decide.js'
import { emitSnippet } from './snippet/events.js'
import { decideSource, type SourceCommand } from './source/decide.js'
import { emitSource } from './source/events.js'
import { decideTenant, type TenantCommand } from './tenant/decide.js'
import { emitTenant } from './tenant/events.js'
import { decideToken, type TokenCommand } from './token/decide.js'
import { emitToken } from './token/events.js'
import { decideUndelete, type UndeleteCommand } from './undelete/decide.js'
import { decideUser, type UserCommand } from './user/decide.js'
import { emitUser } from './user/events.js'
import { decideWebhook, type WebhookCommand } from './webhook/decide.js'
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

/**
 * Decides what happens, or refuses with an error of the catalogue. Emits nothing where nothing would change.
 * Depends on nothing but the command and the context, so deciding again on the same state gives the same events.
 */
export function decide(command: Command, context: Context): Promise<readonly NewEvent[]> {
  switch (command.type) {
    case 'CreateSystemAccount':
    case 'CreateUser':
    case 'UpdateUser':
    case 'DeleteUser':
    case 'ChangeAvatar':
      return decideUser(command, context)
    case 'CreateToken':
    case 'RevokeToken':
    case 'DeleteToken':
      return decideToken(command, context)
    case 'CreateCollection':
    case 'UpdateCollection':
    case 'DeleteCollection':
    case 'LockCollection':
    case 'DeleteCollectionAsAdmin':
      return decideCollection(command, context)
    case 'CreateFolder':
    case 'UpdateFolder':
    case 'MoveFolder':
    case 'DeleteFolder':
    case 'ReorderFolders':
      return decideFolder(command, context)
    case 'CreateRequest':
    case 'UpdateRequest':
    case 'DeleteRequest':
    case 'MoveRequest':
    case 'ReorderRequests':
    case 'DeleteRequestAsAdmin':
      return decideRequest(command, context)
    case 'CreateDocument':
    case 'UpdateDocument':
    case 'DeleteDocument':
    case 'MoveDocument':
    case 'ReorderDocuments':
      return decideDocument(command, context)
    case 'CreateEnvironment':
    case 'UpdateEnvironment':
    case 'DeleteEnvironment':
    case 'LockEnvironment':
    case 'DeleteEnvironmentAsAdmin':
      return decideEnvironment(command, context)
    case 'CreateSnippet':
    case 'UpdateSnippet':
    case 'DeleteSnippet':
    case 'CreateSnippetAsAdmin':
    case 'ManageSnippet':
    case 'DeleteSnippetAsAdmin':
      return decideSnippet(command, context)
    case 'CreateLiveServer':
    case 'UpdateLiveServer':
    case 'DeleteLiveServer':
    case 'LockLiveServer':
    case 'DeleteLiveServerAsAdmin':
    case 'CreateLivePage':
    case 'UpdateLivePage':
    case 'DeleteLivePage':
    case 'LockLivePage':
    case 'DeleteLivePageAsAdmin':
      return decideLive(command, context)
    case 'InviteUser':
    case 'CreateInvitation':
    case 'RevokeInvitation':
    case 'RedeemInvitation':
      return decideInvitation(command, context)
    case 'ShareRunResult':
    case 'DeleteRunResult':
    case 'DeleteRunResultAsAdmin':
      return decideRunResult(command, context)
    case 'ReserveLlmTurn':
    case 'ExtendLlmTurn':
    case 'ReleaseLlmTurn':
    case 'RecordLlmStep':
      return decideLlm(command, context)
    case 'RecordDeletionRefused':
    case 'RecordLoginBlocked':
    case 'RecordLoginsUnblocked':
    case 'RecordConfigurationReloaded':
    case 'RecordLogExported':
    case 'RecordHeadAccepted':
    case 'RecordAuditRead':
    case 'RecordAgentToolCalled':
      return decideAudit(command)
    case 'ErasePayloads':
    case 'EraseNames':
    case 'EraseValue':
      return decideErasure(command, context)
    case 'ImportRecords':
      return decideImport(command, context)
    case 'RestoreRecords':
      return decideUndelete(command, context)
    case 'RevertRecords':
      return decideRevert(command, context)
    case 'ImportSource':
      return decideSource(command, context)
    case 'CreateWebhook':
    case 'ChangeWebhook':
    case 'EnableWebhook':
    case 'DisableWebhook':
    case 'RotateWebhookSecret':
    case 'ReplayWebhook':
    case 'DeleteWebhook':
      return decideWebhook(command, context)
    case 'WriteComment':
    case 'ReplyToComment':
    case 'EditComment':
    case 'RetractComment':
      return decideComment(command, context)
    case 'SetNoticeLevel':
    case 'SubscribeToThread':
    case 'UnsubscribeFromThread':
      return decideNotification(command, context)
    case 'EnrollDevice':
    case 'RevokeDevice':
    case 'RevokeDeviceAsAdmin':
      return decideDevice(command, context)
    case 'PostMlsCommit':
    case 'PostMlsWelcome':
    case 'RestartMlsGroup':
      return decideMls(command, context)
    case 'ChangeHubAvatar':
      return decideHub(command, context)
    case 'CreateTenant':
    case 'RenameTenant':
    case 'MoveTenant':
    case 'DeleteTenant':
      return decideTenant(command, context)
  }
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
