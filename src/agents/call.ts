import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import type { Caller } from '../../commands/context.js'
import { emitAudit } from '../../commands/log/audit/events.js'
import { limitsOf, tokensTable } from '../../commands/people/token/table.js'
import { callerOf, type TokenRow } from '../../queries/callers.js'
import { errors, type HubError } from '../errors.js'
import type { FollowedLedger } from '../followers/followed.js'
import type { CommandOrigin } from '../ledger/ledger.js'
import { timeText } from '../lib/clock.js'
import { LIMITS } from '../limits.js'
import type { Row } from '../storage/storage.js'
import { discussionTools } from './discussionTools.js'
import { listTools } from './listTools.js'
import { recordTools } from './recordTools.js'
import type { AgentClient } from './session.js'
import type { CalledRecord, Tool, ToolContext } from './tool.js'
import { writeTools } from './writeTools.js'

/** Who calls, by which token and client, and what of the server the calls need. */
export interface Agent {
  readonly ledger: FollowedLedger
  readonly caller: Caller
  readonly token: TokenRow
  readonly client: AgentClient
  readonly origin: CommandOrigin
  /** True where the hub takes comments only as devices have encrypted them. */
  readonly isEncrypted: boolean
  /** Parses with a schema, or throws the refusal that says what is wrong. */
  parse<S extends z.ZodType>(schema: S, value: unknown, what: string): z.infer<S>
  /** What a client is told of a failure; who runs the hub is told of it too, where it is one. */
  refusal(error: unknown): HubError
}

const tools: readonly Tool[] = [...listTools, ...recordTools, ...discussionTools, ...writeTools]

/** The tools that may be called with a token. */
export function toolsFor(token: TokenRow): readonly Tool[] {
  return limitsOf(token).agentWrites ? tools : tools.filter(({ writes }) => !writes)
}

/** The tool of this name, whether it may be called or not; null where there is none. */
export function toolNamed(name: string): Tool | null {
  return tools.find((tool) => tool.name === name) ?? null
}

/**
 * Carries out a call of a tool. That it was made is in the log before it is answered, as one event: of a write in the same commit.
 * Throws the refusal that the client is to be told; what was refused is in the log too, as far as the database takes it.
 */
export function callTool(agent: Agent, tool: Tool, given: Readonly<Record<string, unknown>>): Promise<unknown> {
  let record: CalledRecord | null = null
  const context: ToolContext = {
    ...readingContext(agent),
    async write(command, changed, table, answerId = changed.id) {
      const alongside = emitAudit(changed.id, 'AgentToolCalled', calledEvent(agent, tool.name, changed))
      const { row } = await agent.ledger.run(command, { ...agent.origin, alongside }, { table, id: answerId })
      if (!row) throw new Error(`${command.type} left no row.`)
      // The ledger answers with a row of the table that it was asked for.
      return row as Row<(typeof table)['columns']>
    }
  }
  return recorded(agent, { tool: tool.name, record: () => record, isKept: tool.writes }, async () => {
    if (tool.writes && !limitsOf(agent.token).agentWrites) throw errors.agentWritesRefused()
    const unknown = Object.keys(given).find((name) => !Object.hasOwn(tool.args.shape, name))
    if (unknown !== undefined) throw errors.fieldInvalid(unknown.slice(0, LIMITS.label.max), 'No argument of this tool')
    const args = agent.parse(tool.args, given, 'arguments')
    record = tool.recordOf(args)
    return tool.run(args, context)
  })
}

/** What reading takes: the caller's access, now and behind what is read. */
export function readingContext({ ledger, caller, token, isEncrypted }: Agent): Omit<ToolContext, 'write'> {
  const { readModel } = ledger
  return {
    ledger,
    caller,
    isEncrypted,
    async callerNow() {
      await readModel.current()
      return callerOf(readModel, await readModel.get(tokensTable, token.id), () => timeText(ledger.now()))
    }
  }
}

/** A call, as the log is to tell it. */
interface Call {
  readonly tool: string
  /** What it is about, as far as that is known by now. */
  readonly record: () => CalledRecord | null
  /** True where the work itself keeps the call when it succeeds. */
  readonly isKept?: boolean
}

/** Does some work and keeps in the log that it was asked for, and how it ended. What cannot be kept is not answered. */
export async function recorded<T>(
  agent: Agent,
  { tool, record, isKept = false }: Call,
  work: () => Promise<T>
): Promise<T> {
  const { ledger, origin } = agent
  const keep = (data: ReturnType<typeof calledEvent>) =>
    ledger.run({ type: 'RecordAgentToolCalled', id: data.record?.id ?? randomUUID(), data }, origin)
  try {
    const done = await work()
    if (!isKept) await keep(calledEvent(agent, tool, record()))
    return done
  } catch (error) {
    const refusal = agent.refusal(error)
    await keep(calledEvent(agent, tool, record(), refusal)).catch((failure: unknown) => agent.refusal(failure))
    throw refusal
  }
}

function calledEvent({ client }: Agent, tool: string, record: CalledRecord | null, refusal?: HubError) {
  if (!refusal) return { tool, client, record, outcome: 'done', status: null } as const
  return { tool, client, record, outcome: refusal.status < 500 ? 'refused' : 'failed', status: refusal.status } as const
}
