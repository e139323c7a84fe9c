import { Command, Option } from 'clipanion'
import { nameOf } from '../projections/record.js'
import { tokensTable } from '../projections/tokens.js'
import { type LlmEntry, listLlmEntries } from '../queries/llm.js'
import { AnsweringCommand } from './command.js'
import { findUser, personText, userNames } from './names.js'
import { monthValue } from './option-values.js'

export class LlmListCommand extends AnsweringCommand {
  static override readonly paths = [['llm', 'list']]
  static override readonly usage = Command.Usage({
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
      const users = await userNames(view, entries, ({ userId }) => userId)
      const tokenIds = new Set(entries.flatMap(({ apiTokenId }) => apiTokenId ?? []))
      const tokens = new Map((await view.getAll(tokensTable, [...tokenIds])).map((row) => [row.id, nameOf(row)]))
      this.printList(
        ['created', 'user', 'model', 'prompt', 'completion', 'total', 'outcome'],
        entries.map((entry) => cells(entry, users)),
        entries.flatMap((entry) => block(entry, users, tokens))
      )
    })
  }
}

type Names = ReadonlyMap<string | null, string>

function cells(entry: LlmEntry, users: Names): readonly string[] {
  const { createdAt, userId, model, promptTokens, completionTokens, totalTokens, outcome } = entry
  const numbers = [promptTokens, completionTokens, totalTokens].map(String)
  return [createdAt, users.get(userId) ?? userId, model, ...numbers, outcome]
}

function block(entry: LlmEntry, users: Names, tokens: Names): readonly string[] {
  return [
    `- id: ${entry.id}`,
    `  user: ${personText(users, entry.userId)}`,
    `  api token: ${personText(tokens, entry.apiTokenId)}`,
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
