import { Option } from 'clipanion'
import { tokensTable } from '../../commands/people/token/table.js'
import { nameOf } from '../../commands/record.js'
import { type LlmEntry, listLlmEntries, listLlmUsage, usageDifferences } from '../../queries/llm.js'
import { SPEND_BY, type Spend, type SpendReport, spendDays, spendOf } from '../../queries/llmSpend.js'
import type { Ledger } from '../../src/ledger/ledger.js'
import { budgetDifferences } from '../../src/llm/budgetProof.js'
import { pricesOf } from '../../src/llm/catalog.js'
import { spendText } from '../../src/llm/spendText.js'
import { AnsweringCommand, counted, usage } from '../lib/command.js'
import { CliError, UsageError } from '../lib/errors.js'
import { findUser, personText, userNames } from '../lib/names.js'
import { monthValue, oneOfValue } from '../lib/option-values.js'
import { block, type Texts } from '../lib/table.js'

export class LlmListCommand extends AnsweringCommand {
  static override readonly usage = usage('llm list', {
    description: 'List what each LLM step used, the newest first; never what was said',
    examples: [['Of one account in a month', '$0 llm list --user ada --month 2026-10']]
  })

  readonly user = Option.String('--user', { description: '<USER> Only steps of this account, by its id or name' })
  readonly model = Option.String('--model', { description: '<MODEL> Only steps with this model' })
  readonly month = Option.String('--month', { description: '<YYYY-MM> Only steps of this UTC month' })

  protected run(): Promise<void> {
    const { model } = this
    const period = this.month === undefined ? undefined : monthValue('--month', this.month)
    return this.withLedger(async ({ readModel }) => {
      // Steps of an account that is gone are asked for by its id.
      const userId = this.user === undefined ? undefined : ((await findUser(readModel, this.user))?.id ?? this.user)
      const entries = await listLlmEntries(readModel, { userId, model, period })
      if (this.json) return this.printJson({ entries })
      if (entries.length === 0) {
        const asked = { account: this.user, model, month: period }
        const said = Object.entries(asked).flatMap(([what, value]) => (value === undefined ? [] : `${what} ${value}`))
        if (said.length > 0) this.warn(`Looked for steps of ${said.join(', ')}.`)
        return this.print('No LLM usage records found.')
      }
      const users = await userNames(readModel, entries, ({ userId }) => userId)
      const tokenIds = new Set(entries.flatMap(({ apiTokenId }) => apiTokenId ?? []))
      const tokens = new Map((await readModel.getAll(tokensTable, [...tokenIds])).map((row) => [row.id, nameOf(row)]))
      this.printList(
        ['created', 'user', 'model', 'prompt', 'completion', 'total', 'outcome'],
        entries.map((entry) => cells(entry, users)),
        entries.flatMap((entry) => entryBlock(entry, users, tokens))
      )
    })
  }
}

type Names = ReadonlyMap<string | null, string>

function cells(entry: LlmEntry, users: Names): Texts {
  const { createdAt, userId, model, promptTokens, completionTokens, totalTokens, outcome } = entry
  const numbers = [promptTokens, completionTokens, totalTokens].map(String)
  return [createdAt, users.get(userId) ?? userId, model, ...numbers, outcome]
}

function entryBlock(entry: LlmEntry, users: Names, tokens: Names): Texts {
  const { id, period, model, provider, messageCount: messages, outcome, createdAt: created } = entry
  const { interface: asked, tool, attempts } = entry
  const yesOrNo = (is: boolean) => (is ? 'yes' : 'no')
  return block({
    ...{ id, user: personText(users, entry.userId), 'api token': personText(tokens, entry.apiTokenId) },
    ...{ period, model, provider },
    ...(asked !== undefined && { interface: asked }),
    ...(tool !== undefined && { program: tool }),
    ...(attempts !== undefined && { attempts }),
    ...{ 'prompt tokens': entry.promptTokens, 'completion tokens': entry.completionTokens },
    'total tokens': `${entry.totalTokens}${entry.estimated ? ' (estimated)' : ''}`,
    ...{ 'new turn': yesOrNo(entry.isNewTurn), 'tool calls': yesOrNo(entry.hadToolCalls), messages, outcome, created }
  })
}

export class LlmUsageCommand extends AnsweringCommand {
  static override readonly usage = usage('llm usage', {
    description: 'Show the LLM tokens that each account has used by month; with --by also what they cost',
    details: `
      Costs are in US dollars by the prices of the catalog in force, and of models that it does not name by the built-in
      ones. What models without a price cost is in no sum, and they are named.
    `,
    examples: [
      ['What this month costs, by account', '$0 llm usage --by user'],
      ['By model in a month', '$0 llm usage --by model --month 2026-10'],
      ['For a spreadsheet', '$0 llm usage --by user --month 2026-10 --csv'],
      ['Day by day', '$0 llm usage --by day --from 2026-10-20 --to 2026-11-02']
    ]
  })

  readonly by = Option.String('--by', { description: `<WHAT> Sums with costs, by ${SPEND_BY.join(', ')}` })
  readonly month = Option.String('--month', { description: '<YYYY-MM> Only this UTC month' })
  readonly from = Option.String('--from', { description: '<DAY> With --by: the first UTC day' })
  readonly to = Option.String('--to', { description: '<DAY> With --by: the last UTC day' })
  readonly csv = Option.Boolean('--csv', false, { description: 'With --by: as lines of CSV' })
  readonly ndjson = Option.Boolean('--ndjson', false, { description: 'With --by: as lines of JSON' })
  readonly verify = Option.Boolean('--verify', false, {
    description: 'Compare with the sum of the usage log, budgets too; exit 1 when any month or budget differs'
  })

  protected run(): Promise<void> {
    const { by, month, from, to } = this
    if (by === undefined && (from !== undefined || to !== undefined))
      throw new UsageError(`--from and --to go with --by ${SPEND_BY.join('|')}.`)
    const formats = [this.csv && 'csv', this.ndjson && 'ndjson', this.json && 'json'].filter((one) => one !== false)
    if (formats.length > 1) throw new UsageError('Give one of --csv, --ndjson and --json.')
    if (by === undefined && (this.csv || this.ndjson))
      throw new UsageError(`--csv and --ndjson go with --by ${SPEND_BY.join('|')}.`)
    if (by === undefined) {
      const period = month === undefined ? undefined : monthValue('--month', month)
      return this.withLedger((ledger) => (this.verify ? this.#verify(ledger) : this.#months(ledger, period)))
    }
    if (this.verify) throw new UsageError('Give --by or --verify, not both.')
    const keyed = oneOfValue('--by', by, SPEND_BY)
    const days = spendDays({ month, from, to }, new Date().toISOString().slice(0, 10))
    const prices = pricesOf(this.config())
    return this.withLedger(async ({ readModel }) => {
      const report = await spendOf(readModel, keyed, days, prices)
      if (this.csv || this.ndjson) this.#lines(spendText(report, this.csv ? 'csv' : 'ndjson'))
      else if (this.json) this.printJson(report)
      else this.#printReport(report)
    })
  }

  async #months({ readModel }: Ledger, period: string | undefined): Promise<void> {
    const usage = await listLlmUsage(readModel, period)
    if (this.json) return this.printJson({ usage })
    if (usage.length === 0) {
      if (period !== undefined) this.warn(`Looked in ${period}.`)
      return this.print('No LLM usage records found.')
    }
    const names = await userNames(readModel, usage, ({ userId }) => userId)
    this.printList(
      ['month', 'user', 'tokens', 'prompt', 'completion'],
      usage.map(({ userId, period, promptTokens, completionTokens, totalTokens }) => [
        ...[period, names.get(userId) ?? userId],
        ...[totalTokens, promptTokens, completionTokens].map(String)
      ]),
      usage.map(({ userId, period, promptTokens, completionTokens, totalTokens }) => {
        const person = personText(names, userId)
        return `${period}  ${person}  ${counted(totalTokens, 'token')} (${promptTokens} prompt, ${completionTokens} completion)`
      })
    )
  }

  #lines(text: string): void {
    for (const line of text.trimEnd().split(/\r?\n/)) this.print(line)
  }

  #printReport(report: SpendReport) {
    const { by, from, to, usage, total, unpriced, unloggedTokens } = report
    if (usage.length === 0) return this.print(`No LLM usage records found from ${from} to ${to}.`)
    const keyOf = ({ key }: { readonly key: string }) => key || '(not said)'
    const rows = usage.map((one) => [one.name ?? keyOf(one), ...figures(one)])
    this.printList(
      [by, 'steps', 'prompt', 'completion', 'tokens', 'cost'],
      [...rows, ['total', ...figures(total)]],
      usage.map((one) => spendLine(one.name ? `${one.name} (${one.key})` : keyOf(one), one))
    )
    this.print(spendLine(`Total from ${from} to ${to}`, total))
    if (unpriced.length > 0) this.warn(`Without a price, and in no cost: ${unpriced.join(', ')}.`)
    if (unloggedTokens > 0)
      this.warn(
        `In no sum: ${counted(unloggedTokens, 'token')} of calls that were lost with their hub, or of an older hub.`
      )
  }

  async #verify({ readModel, storage }: Ledger): Promise<void> {
    const differences = await usageDifferences(readModel)
    const budgets = await budgetDifferences(storage)
    const differing = [
      ...differences.map(({ userId, period, rollup, log }) => `DIFF ${period} ${userId}: rollup ${rollup}, log ${log}`),
      ...budgets.map(({ id, what, told, log }) => `DIFF budget ${id}, ${what}: told ${told}, log ${log}`)
    ]
    this.answer({ equal: differing.length === 0, differences, budgets }, ...differing)
    if (differences.length > 0) throw new CliError('The monthly usage differs from the sum of the usage log.')
    if (budgets.length > 0) throw new CliError('What budgets say is used differs from the sum of their calls.')
    if (!this.json)
      this.print('The monthly usage equals the sum of the usage log, and that of budgets the sum of their calls.')
  }
}

function figures({ steps, promptTokens, completionTokens, totalTokens, cost }: Spend): readonly string[] {
  return [...[steps, promptTokens, completionTokens, totalTokens].map(String), money(cost)]
}

function spendLine(key: string, { promptTokens, completionTokens, totalTokens, cost }: Spend): string {
  return `${key}  ${counted(totalTokens, 'token')} (${promptTokens} prompt, ${completionTokens} completion)  ${money(cost)}`
}

/** Small sums keep the digits that they have: a thousand tokens cost less than a cent. */
function money(cost: number | null): string {
  if (cost === null) return 'no price'
  return `$${cost >= 1 || cost === 0 ? cost.toFixed(2) : cost.toPrecision(2)}`
}
