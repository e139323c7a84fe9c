import type { z } from 'zod'
import type { NewEvent } from '../../src/log/event.js'
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
export async function decideAudit(command: AuditCommand): Promise<readonly NewEvent[]> {
  switch (command.type) {
    case 'RecordDeletionRefused':
      return [emitAudit(command.id, 'DeletionRefused', command.data)]
    case 'RecordLoginBlocked':
      return [emitAudit(command.id, 'LoginBlocked', command.data)]
    case 'RecordLoginsUnblocked':
      return [emitAudit(command.id, 'LoginsUnblocked', command.data)]
    case 'RecordConfigurationReloaded':
      return [emitAudit(command.id, 'ConfigurationReloaded', command.data)]
    case 'RecordLogExported':
      return [emitAudit(command.id, 'LogExported', command.data)]
    case 'RecordHeadAccepted':
      return [emitAudit(command.id, 'HeadAccepted', command.data)]
    case 'RecordAuditRead':
      return [emitAudit(command.id, 'AuditRead', command.data)]
    case 'RecordAgentToolCalled':
      return [emitAudit(command.id, 'AgentToolCalled', command.data)]
  }
}
