import type { CommandClass } from 'clipanion'
import { AtCommand } from './at.js'
import { AuditCheckpointCommand } from './audit-checkpoint.js'
import { AuditExportCommand } from './audit-export.js'
import { AuditFollowCommand } from './audit-follow.js'
import { AuditListCommand } from './audit-list.js'
import { AuditSealCommand } from './audit-seal.js'
import { AuditShowCommand } from './audit-show.js'
import { AuditStatsCommand } from './audit-stats.js'
import { AuditVerifyCommand } from './audit-verify.js'
import { CollectionListCommand } from './collection-list.js'
import type { HubContext } from './command.js'
import { DeletedCommand } from './deleted.js'
import { DiffCommand } from './diff.js'
import { EraseDeletedCommand } from './erase-deleted.js'
import { EraseExpiredCommand } from './erase-expired.js'
import { EraseUserCommand } from './erase-user.js'
import { EraseValueCommand } from './erase-value.js'
import { HistoryCommand } from './history.js'
import { LlmListCommand } from './llm-list.js'
import { LlmUsageCommand } from './llm-usage.js'
import { LogExportCommand } from './log-export.js'
import { LogImportCommand } from './log-import.js'
import { MigrateCommand } from './migrate.js'
import { ProjectionsListCommand } from './projections-list.js'
import { ProjectionsRebuildCommand } from './projections-rebuild.js'
import { ProjectionsRollbackCommand } from './projections-rollback.js'
import { ProjectionsVerifyCommand } from './projections-verify.js'
import { RestoreCommand } from './restore.js'
import { StartCommand } from './start.js'
import { UndeleteCommand } from './undelete.js'
import { UndoCommand } from './undo.js'
import { UserCreateCommand } from './user-create.js'
import { UserDeleteCommand } from './user-delete.js'
import { UserInviteCreateCommand } from './user-invite-create.js'
import { UserInviteListCommand } from './user-invite-list.js'
import { UserInviteRevokeCommand } from './user-invite-revoke.js'
import { UserListCommand } from './user-list.js'
import { UserShowCommand } from './user-show.js'
import { UserTokenCreateCommand } from './user-token-create.js'
import { UserTokenListCommand } from './user-token-list.js'
import { UserTokenRevokeCommand } from './user-token-revoke.js'
import { UserUpdateCommand } from './user-update.js'

/** Every command of the hub: one class each, in a file of its own. */
export const commands: readonly CommandClass<HubContext>[] = [
  StartCommand,
  MigrateCommand,
  UserCreateCommand,
  UserListCommand,
  UserShowCommand,
  UserUpdateCommand,
  UserDeleteCommand,
  UserTokenCreateCommand,
  UserTokenListCommand,
  UserTokenRevokeCommand,
  UserInviteCreateCommand,
  UserInviteListCommand,
  UserInviteRevokeCommand,
  CollectionListCommand,
  LlmListCommand,
  LlmUsageCommand,
  LogExportCommand,
  LogImportCommand,
  HistoryCommand,
  AtCommand,
  DiffCommand,
  RestoreCommand,
  DeletedCommand,
  UndeleteCommand,
  UndoCommand,
  AuditListCommand,
  AuditShowCommand,
  AuditFollowCommand,
  AuditStatsCommand,
  AuditExportCommand,
  AuditVerifyCommand,
  AuditCheckpointCommand,
  AuditSealCommand,
  EraseUserCommand,
  EraseDeletedCommand,
  EraseValueCommand,
  EraseExpiredCommand,
  ProjectionsListCommand,
  ProjectionsRebuildCommand,
  ProjectionsRollbackCommand,
  ProjectionsVerifyCommand
]
