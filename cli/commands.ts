import type { CommandClass } from 'clipanion'
import { ConfigCheckCommand, ConfigPrintCommand, ConfigSchemaCommand } from './hub/config.js'
import { DoctorCommand } from './hub/doctor.js'
import { ImagesMoveCommand } from './hub/images.js'
import { LlmListCommand, LlmUsageCommand } from './hub/llm.js'
import {
  LlmBudgetCreateCommand,
  LlmBudgetDeleteCommand,
  LlmBudgetListCommand,
  LlmBudgetUpdateCommand
} from './hub/llm-budget.js'
import { MigrateCommand } from './hub/migrate.js'
import { StartCommand } from './hub/start.js'
import type { HubContext } from './lib/command.js'
import { CompletionCommand } from './lib/completion.js'
import { AuditCheckpointCommand, AuditSealCommand, AuditVerifyCommand } from './log/audit-chain.js'
import {
  AuditExportCommand,
  AuditFollowCommand,
  AuditListCommand,
  AuditShowCommand,
  AuditStatsCommand
} from './log/audit-list.js'
import { BackupCreateCommand, BackupFollowCommand, BackupVerifyCommand } from './log/backup.js'
import { BackupRestoreCommand } from './log/backup-restore.js'
import { EraseDeletedCommand, EraseExpiredCommand, EraseUserCommand, EraseValueCommand } from './log/erase.js'
import { LogAcceptHeadCommand, LogExportCommand, LogImportCommand } from './log/log.js'
import {
  ProjectionsListCommand,
  ProjectionsRebuildCommand,
  ProjectionsRollbackCommand,
  ProjectionsVerifyCommand
} from './log/projections.js'
import {
  GroupAddCommand,
  GroupCreateCommand,
  GroupDeleteCommand,
  GroupListCommand,
  GroupRemoveCommand,
  GroupShowCommand,
  GroupUpdateCommand
} from './people/group.js'
import { ThrottleClearCommand, ThrottleListCommand } from './people/throttle.js'
import {
  UserCreateCommand,
  UserDeleteCommand,
  UserListCommand,
  UserShowCommand,
  UserUpdateCommand
} from './people/user.js'
import { UserDisableCommand, UserEnableCommand, UserGrantCommand, UserSignOutCommand } from './people/user-access.js'
import { UserInviteCreateCommand, UserInviteListCommand, UserInviteRevokeCommand } from './people/user-invite.js'
import { UserSignInBindCommand, UserSignInListCommand, UserSignInUnbindCommand } from './people/user-sign-in.js'
import { UserTokenListCommand, UserTokenRevokeCommand } from './people/user-token.js'
import { UserTokenCreateCommand, UserTokenRotateCommand } from './people/user-token-issue.js'
import { CollectionAccessCommand, CollectionListCommand, CollectionShowCommand } from './records/collection.js'
import { CollectionExportCommand, CollectionImportCommand } from './records/collection-formats.js'
import { FindCommand } from './records/find.js'
import { AtCommand, DiffCommand, HistoryCommand } from './records/history.js'
import { RequestListCommand, RequestShowCommand } from './records/request.js'
import { DeletedCommand, RestoreCommand, UndeleteCommand, UndoCommand } from './records/undo.js'
import { TenantCreateCommand, TenantDeleteCommand, TenantListCommand, TenantRenameCommand } from './tenants/tenant.js'
import { TenantExportCommand, TenantImportCommand, TenantMoveCommand } from './tenants/tenant-move.js'
import { WebhookCreateCommand, WebhookDeleteCommand, WebhookListCommand } from './webhooks/webhook.js'
import {
  WebhookDeliveriesCommand,
  WebhookEnableCommand,
  WebhookReplayCommand,
  WebhookRotateCommand,
  WebhookTestCommand
} from './webhooks/webhook-deliveries.js'

const groups: readonly (readonly CommandClass<HubContext>[])[] = [
  [StartCommand, DoctorCommand, MigrateCommand, ImagesMoveCommand],
  [ConfigCheckCommand, ConfigPrintCommand, ConfigSchemaCommand],
  [UserCreateCommand, UserListCommand, UserShowCommand, UserUpdateCommand, UserDeleteCommand],
  [UserDisableCommand, UserEnableCommand, UserGrantCommand, UserSignOutCommand],
  [UserSignInListCommand, UserSignInBindCommand, UserSignInUnbindCommand],
  [GroupCreateCommand, GroupListCommand, GroupShowCommand, GroupUpdateCommand, GroupDeleteCommand],
  [GroupAddCommand, GroupRemoveCommand],
  [UserTokenCreateCommand, UserTokenListCommand, UserTokenRotateCommand, UserTokenRevokeCommand],
  [UserInviteCreateCommand, UserInviteListCommand, UserInviteRevokeCommand],
  [
    CollectionListCommand,
    CollectionShowCommand,
    CollectionAccessCommand,
    CollectionImportCommand,
    CollectionExportCommand
  ],
  [RequestListCommand, RequestShowCommand, FindCommand],
  [
    LlmListCommand,
    LlmUsageCommand,
    LlmBudgetListCommand,
    LlmBudgetCreateCommand,
    LlmBudgetUpdateCommand,
    LlmBudgetDeleteCommand
  ],
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
