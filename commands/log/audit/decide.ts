import type { z } from 'zod'
import type { Deciders } from '../../context.js'
import { type auditEvents, emitAudit } from './events.js'

/** Something to be kept in the log. The hub itself gives this command, so there is nothing to refuse. */
export type AuditCommand = {
  [T in keyof typeof auditEvents]: {
    readonly type: `Record${T}`
    readonly id: string
    readonly data: z.infer<(typeof auditEvents)[T]['data']>
  }
}[keyof typeof auditEvents]

/** Writes it down. */
export const auditDeciders: Deciders<AuditCommand> = {
  RecordDeletionRefused: ({ id, data }) => [emitAudit(id, 'DeletionRefused', data)],
  RecordLoginBlocked: ({ id, data }) => [emitAudit(id, 'LoginBlocked', data)],
  RecordLoginsUnblocked: ({ id, data }) => [emitAudit(id, 'LoginsUnblocked', data)],
  RecordConfigurationReloaded: ({ id, data }) => [emitAudit(id, 'ConfigurationReloaded', data)],
  RecordLogExported: ({ id, data }) => [emitAudit(id, 'LogExported', data)],
  RecordHeadAccepted: ({ id, data }) => [emitAudit(id, 'HeadAccepted', data)],
  RecordAuditRead: ({ id, data }) => [emitAudit(id, 'AuditRead', data)],
  RecordAgentToolCalled: ({ id, data }) => [emitAudit(id, 'AgentToolCalled', data)]
}
