import { z } from 'zod'
import { begin, emitter, event, type Upcast } from '../../event.js'

const FAILURES_OF_VERSION_1 = { one: 'oneSecret', any: 'anySecret', invitations: 'invitations' } as const

/** Version 1 said `secrets` and `seconds`. */
const blockFromVersion1: Upcast = (data) => {
  const { secrets, seconds } = z
    .object({ secrets: z.enum(['one', 'any', 'invitations']), seconds: z.number() })
    .parse(data)
  return { failuresWith: FAILURES_OF_VERSION_1[secrets], blockedSeconds: seconds }
}

/** What is worth knowing though no record changes by it: refusals, blocks, and who looked at or took away the log itself. */
export const auditEvents = {
  /** Somebody wanted to delete what is locked. The stream is named after the thing. */
  DeletionRefused: event(z.object({ kind: z.string(), id: z.string() })),
  /** An address has failed to authenticate too often: with one secret, with whatever secrets, or with invitations. */
  LoginBlocked: begin(
    z.object({ failuresWith: z.enum(['oneSecret', 'anySecret', 'invitations']), blockedSeconds: z.number() }),
    blockFromVersion1
  ),
  /** Somebody let addresses try again before their time; which one is sealed with their own, where it was one. */
  LoginsUnblocked: begin(z.object({ blocks: z.number() })),
  /** The configuration file was read again; with `fatal` it could not be used. */
  ConfigurationReloaded: begin(
    z.object({ sections: z.array(z.object({ section: z.string(), status: z.string() })), fatal: z.boolean() })
  ),
  /** The log, or what an audit search found, was written to a file: the events from one position to another. */
  LogExported: begin(z.object({ what: z.enum(['log', 'audit']), from: z.number(), to: z.number() })),
  /**
   * The log went back, as where a standby took over that was late, and an operator accepted that: ends that hubs have known it to
   * have and that it does not hold, with the event's chain and time. `end` is where it ended then.
   */
  HeadAccepted: begin(
    z.object({
      lost: z.array(z.object({ position: z.number(), chain: z.string(), at: z.string() })),
      end: z.number()
    })
  ),
  /** An administrator searched the log. Names and addresses that they searched for are sealed with their own. */
  AuditRead: begin(z.object({ filter: z.record(z.string(), z.string()) })),
  /**
   * An agent has called a tool, with the name and version that its client gave itself. A call about one record is of a stream that
   * is named after it. `status` is that of the refusal; a write that was done stands right before the call, in one commit with it.
   */
  AgentToolCalled: event(
    z.object({
      tool: z.string(),
      client: z.object({ name: z.string(), version: z.string() }),
      record: z.object({ kind: z.string(), id: z.string() }).nullable(),
      outcome: z.enum(['done', 'refused', 'failed']),
      status: z.number().nullable()
    })
  )
}
export const emitAudit = emitter('audit', auditEvents)
