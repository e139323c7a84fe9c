import { Command, Option } from 'clipanion'
import { nameOf } from '../projections/record.js'
import { tokensTable } from '../projections/tokens.js'
import { usersTable } from '../projections/users.js'
import { type LlmEntry, listLlmEntries } from '../queries/llm.js'
import type { Columns, ReadStore, TableSpec } from '../src/storage/storage.js'
import { AnsweringCommand } from './command.js'
import { findUser } from './names.js'
import { monthValue } from './option-values.js'

export class LlmListCommand extends AnsweringCommand {
  static override readonly paths = [['llm', 'list']]
  static override readonly usage = Command.Usage({
    category: 'LLM',
    description: 'List what each LLM step used, the newest first; never what was said',
    examples: [['Of one account in a month', '$0 llm list --user ada --month 2026-10']]
  })

  readonly user = Option.String('--user', { description: '<USER> Only steps of this account, by its id or name' })
  readonly model = Option.String('--model', { description: '<MODEL> Only steps with this model' })
  readonly month = Option.String('--month', { description: '<YYYY-MM> Only steps of this UTC month' })

  protected run(): Promise<void> {
    const { model } = this
    const period = this.month === undefined ? undefined : monthValue('--month', this.month)
    return this.withLedger(async ({ view }) => {
      // Steps of an account that is gone are asked for by its id.
      const userId = this.user === undefined ? undefined : ((await findUser(view, this.user))?.id ?? this.user)
      const entries = await listLlmEntries(view, { userId, model, period })
      if (this.json) return this.printJson({ entries })
      if (entries.length === 0) {
        const asked = { account: this.user, model, month: period }
        const said = Object.entries(asked).flatMap(([what, value]) => (value === undefined ? [] : `${what} ${value}`))
        if (said.length > 0) this.warn(`Looked for steps of ${said.join(', ')}.`)
        return this.print('No LLM usage records found.')
      }
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
      this.printList(
        ['created', 'user', 'model', 'prompt', 'completion', 'total', 'outcome'],
        entries.map((entry) => cells(entry, users)),
        entries.flatMap((entry) => block(entry, users, tokens))
      )
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

function cells(entry: LlmEntry, users: Names): readonly string[] {
  const { createdAt, userId, model, promptTokens, completionTokens, totalTokens, outcome } = entry
  const numbers = [promptTokens, completionTokens, totalTokens].map(String)
  return [createdAt, users.get(userId) ?? userId, model, ...numbers, outcome]
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
