import type { CommandClass } from 'clipanion'
import { AuditCheckpointCommand, AuditSealCommand, AuditVerifyCommand } from './audit-chain.js'
import {
  AuditExportCommand,
  AuditFollowCommand,
  AuditListCommand,
  AuditShowCommand,
  AuditStatsCommand
} from './audit-list.js'
import { BackupCreateCommand, BackupFollowCommand, BackupVerifyCommand } from './backup.js'
import { BackupRestoreCommand } from './backup-restore.js'
import { CollectionListCommand, CollectionShowCommand } from './collection.js'
import { CollectionExportCommand, CollectionImportCommand } from './collection-formats.js'
import type { HubContext } from './command.js'
import { CompletionCommand } from './completion.js'
import { ConfigCheckCommand, ConfigPrintCommand, ConfigSchemaCommand } from './config.js'
import { DoctorCommand } from './doctor.js'
import { EraseDeletedCommand, EraseExpiredCommand, EraseUserCommand, EraseValueCommand } from './erase.js'
import { FindCommand } from './find.js'
import { AtCommand, DiffCommand, HistoryCommand } from './history.js'
import { ImagesMoveCommand } from './images.js'
import { LlmListCommand, LlmUsageCommand } from './llm.js'
import { LogAcceptHeadCommand, LogExportCommand, LogImportCommand } from './log.js'
import { MigrateCommand } from './migrate.js'
import {
  ProjectionsListCommand,
  ProjectionsRebuildCommand,
  ProjectionsRollbackCommand,
  ProjectionsVerifyCommand
} from './projections.js'
import { RequestListCommand, RequestShowCommand } from './request.js'
import { StartCommand } from './start.js'
import { TenantCreateCommand, TenantDeleteCommand, TenantListCommand, TenantRenameCommand } from './tenant.js'
import { TenantExportCommand, TenantImportCommand, TenantMoveCommand } from './tenant-move.js'
import { ThrottleClearCommand, ThrottleListCommand } from './throttle.js'
import { DeletedCommand, RestoreCommand, UndeleteCommand, UndoCommand } from './undo.js'
import { UserCreateCommand, UserDeleteCommand, UserListCommand, UserShowCommand, UserUpdateCommand } from './user.js'
import { UserInviteCreateCommand, UserInviteListCommand, UserInviteRevokeCommand } from './user-invite.js'
import { UserTokenCreateCommand, UserTokenListCommand, UserTokenRevokeCommand } from './user-token.js'
import { WebhookCreateCommand, WebhookDeleteCommand, WebhookListCommand } from './webhook.js'
import {
  WebhookDeliveriesCommand,
  WebhookEnableCommand,
  WebhookReplayCommand,
  WebhookRotateCommand,
  WebhookTestCommand
} from './webhook-deliveries.js'

const groups: readonly (readonly CommandClass<HubContext>[])[] = [
  [StartCommand, DoctorCommand, MigrateCommand, ImagesMoveCommand],
  [ConfigCheckCommand, ConfigPrintCommand, ConfigSchemaCommand],
  [UserCreateCommand, UserListCommand, UserShowCommand, UserUpdateCommand, UserDeleteCommand],
  [UserTokenCreateCommand, UserTokenListCommand, UserTokenRevokeCommand],
  [UserInviteCreateCommand, UserInviteListCommand, UserInviteRevokeCommand],
  [CollectionListCommand, CollectionShowCommand, CollectionImportCommand, CollectionExportCommand],
  [RequestListCommand, RequestShowCommand, FindCommand],
  [LlmListCommand, LlmUsageCommand],
  [BackupCreateCommand, BackupVerifyCommand, BackupRestoreCommand, BackupFollowCommand],
  [LogExportCommand, LogImportCommand, LogAcceptHeadCommand],
  [HistoryCommand, AtCommand, DiffCommand, RestoreCommand, DeletedCommand, UndeleteCommand, UndoCommand],
  [AuditListCommand, AuditShowCommand, AuditFollowCommand, AuditStatsCommand],
  [AuditExportCommand, AuditVerifyCommand, AuditCheckpointCommand, AuditSealCommand],
  [EraseUserCommand, EraseDeletedCommand, EraseValueCommand, EraseExpiredCommand],
  [ProjectionsListCommand, ProjectionsRebuildCommand, ProjectionsRollbackCommand, ProjectionsVerifyCommand],
  [TenantListCommand, TenantCreateCommand, TenantRenameCommand, TenantMoveCommand],
  [TenantExportCommand, TenantImportCommand, TenantDeleteCommand],
  [ThrottleListCommand, ThrottleClearCommand],
  [WebhookListCommand, WebhookCreateCommand, WebhookDeleteCommand, WebhookDeliveriesCommand],
  [WebhookReplayCommand, WebhookTestCommand, WebhookEnableCommand, WebhookRotateCommand],
  [CompletionCommand]
]

/** Every command of the hub, one class each, whose usage says what it does. Commands that are read together share a file. */
export const commands = groups.flat()
