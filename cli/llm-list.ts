import { Command, Option } from 'clipanion'
import { nameOf } from '../commands/named.js'
import { tokensTable } from '../projections/tokens.js'
import { usersTable } from '../projections/users.js'
import { type LlmEntry, listLlmEntries } from '../queries/llm.js'
import type { Columns, ReadStore, TableSpec } from '../src/storage/storage.js'
import { AnsweringCommand } from './command.js'

/** `hub llm list`: the usage log, entry by entry, newest first. */
export class LlmListCommand extends AnsweringCommand {
  static override readonly paths = [['llm', 'list']]
  static override readonly usage = Command.Usage({
    category: 'LLM',
    description: 'List what each LLM step used, the newest first; never what was said'
  })

  readonly user = Option.String('--user', { description: 'Only steps of this account, by its id' })
  readonly model = Option.String('--model', { description: 'Only steps with this model' })
  readonly month = Option.String('--month', { description: 'Only steps of this UTC month, as YYYY-MM' })

  protected run(): Promise<void> {
    return this.withLedger(async ({ view }) => {
      const entries = await listLlmEntries(view, { userId: this.user, model: this.model, period: this.month })
      if (this.json) return this.printJson({ entries })
      if (entries.length === 0) return this.print('No LLM usage records found.')
      const users = await namesOf(
        view,
        usersTable,
        entries.map(({ userId }) => userId)
      )
      const tokens = await namesOf(
        view,
        tokensTable,
        entries.flatMap(({ apiTokenId }) => apiTokenId ?? [])
      )
      for (const entry of entries) this.print(...block(entry, users, tokens))
    })
  }
}

type Names = ReadonlyMap<string, string>

async function namesOf<C extends Columns>(
  read: ReadStore,
  table: TableSpec<C>,
  ids: readonly string[]
): Promise<Names> {
  const rows = await read.getAll(table, [...new Set(ids)])
  return new Map(rows.map((row) => [row.id, nameOf(row)]))
}

function block(entry: LlmEntry, users: Names, tokens: Names): readonly string[] {
  const named = (id: string, names: Names) => (names.has(id) ? `${names.get(id)} (${id})` : id)
  return [
    `- id: ${entry.id}`,
    `  user: ${named(entry.userId, users)}`,
    `  api token: ${entry.apiTokenId === null ? '-' : named(entry.apiTokenId, tokens)}`,
    `  period: ${entry.period}`,
    `  model: ${entry.model}`,
    `  provider: ${entry.provider}`,
    `  prompt tokens: ${entry.promptTokens}`,
    `  completion tokens: ${entry.completionTokens}`,
    `  total tokens: ${entry.totalTokens}${entry.estimated ? ' (estimated)' : ''}`,
    `  new turn: ${entry.isNewTurn ? 'yes' : 'no'}`,
    `  tool calls: ${entry.hadToolCalls ? 'yes' : 'no'}`,
    `  messages: ${entry.messageCount}`,
    `  outcome: ${entry.outcome}`,
    `  created: ${entry.createdAt}`
  ]
}
