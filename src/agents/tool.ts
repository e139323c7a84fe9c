import { z } from 'zod'
import type { Caller } from '../../commands/context.js'
import type { Command } from '../../commands/index.js'
import type { RestorableKind } from '../../commands/records/kinds.js'
import type { FollowedLedger } from '../followers/followed.js'
import type { Row, TableSpec } from '../storage/storage.js'

/** A record that a call is about, as the log tells it. */
export interface CalledRecord {
  readonly kind: RestorableKind
  readonly id: string
}

/** What a tool works with. */
export interface ToolContext {
  readonly ledger: FollowedLedger
  /** Whose token it is, with the access of this moment. */
  readonly caller: Caller
  /** The caller as of now; null where the token opens nothing any more. */
  callerNow(): Promise<Caller | null>
  /** True where the hub takes comments only as devices have encrypted them. */
  readonly isEncrypted: boolean
  /**
   * Runs a command that changes a record, together with the event that tells of the call, and returns the row that it leaves: that
   * of the record, unless another id is given.
   */
  write<T extends TableSpec>(
    command: Command,
    record: CalledRecord,
    table: T,
    answerId?: string
  ): Promise<Row<T['columns']>>
}

/** One thing that an agent may call. */
export interface Tool<A extends z.ZodObject = z.ZodObject, R extends z.ZodType = z.ZodType> {
  readonly name: string
  readonly title: string
  /** For the model: what it does and when to use it. */
  readonly description: string
  readonly args: A
  readonly answer: R
  /** True where it changes records: only tokens with `agentWrites` see and call it. */
  readonly writes: boolean
  /** For tools that write: true where a call puts something in place of what is there. */
  readonly replaces?: boolean
  // Parameters of methods are bivariant: what is given is what `args` has made.
  /** The record that a call is about; null where it is about none, or about one that it makes. */
  recordOf(args: z.infer<A>): CalledRecord | null
  run(args: z.infer<A>, context: ToolContext): Promise<z.infer<R>>
}

/** A tool as it is declared, with the types of what it takes and answers. */
export function tool<A extends z.ZodObject, R extends z.ZodType>(
  declared: Omit<Tool<A, R>, 'recordOf' | 'writes'> & Partial<Pick<Tool<A, R>, 'recordOf' | 'writes'>>
): Tool<A, R> {
  return { writes: false, recordOf: () => null, ...declared }
}

/** The arguments of a tool: none that is unknown is passed over in silence. */
export const args = z.strictObject
