import { randomUUID } from 'node:crypto'
import { Option } from 'clipanion'
import { z } from 'zod'
import { nameKey } from '../../commands/keys.js'
import { BUDGET_PERIODS, BUDGET_UNITS, type Budget } from '../../commands/llm/budget/events.js'
import { llmBudgetsTable } from '../../commands/llm/budget/table.js'
import { groupsTable } from '../../commands/people/group/table.js'
import { tokensTable } from '../../commands/people/token/table.js'
import { usersTable } from '../../commands/people/user/table.js'
import { allBudgets, type BudgetState, budgetStates } from '../../queries/llmBudgets.js'
import { type Ledger, systemOrigin } from '../../src/ledger/ledger.js'
import { timeText } from '../../src/lib/clock.js'
import type { PagedReads, ReadStore } from '../../src/storage/storage.js'
import { AnsweringCommand, LedgerCommand, TERMINAL_YES_HELP, usage } from '../lib/command.js'
import { CliError, UsageError } from '../lib/errors.js'
import { existing, findToken, groupNamed, userNamed } from '../lib/names.js'
import { amountValue, modelValue, nameValue, oneOfValue } from '../lib/option-values.js'
import { block, type Texts } from '../lib/table.js'

const withName = z.object({ name: z.string() })
const NAME = '<NAME> Name, unlike that of any other budget'
const LIMIT = '<AMOUNT> How much may be used in a period, in tokens or US dollars'

export class LlmBudgetListCommand extends LedgerCommand {
  static override readonly usage = usage('llm budget list', {
    description: 'List the budgets of models, and what is used of them',
    examples: [['For a script', '$0 llm budget list --json']]
  })

  protected async on(ledger: Ledger): Promise<void> {
    const budgets = await allBudgets(ledger.readModel, nowOf(ledger))
    if (this.json) return this.printJson({ budgets })
    if (budgets.length === 0) return this.print('No budgets found.')
    const names = await namesOf(budgets, ledger.readModel)
    this.printList(
      ['name', 'of', 'model', 'used', 'held', 'limit', 'period', 'ends'],
      budgets.map((one) => cells(one, names)),
      budgets.flatMap((one) => budgetBlock(one, names))
    )
  }
}

export class LlmBudgetCreateCommand extends AnsweringCommand {
  static override readonly usage = usage('llm budget create', {
    description: 'Make a budget of models: for all of the hub, an account, a group or a token',
    details: `
      A call is made where the most that it can use is left of each budget that counts it; that is held until it is over.
      Days, weeks from Monday on and months begin at midnight, UTC. Only calls that begin from now on are counted.
    `,
    examples: [
      ['For a group, in money', '$0 llm budget create --name Payments --group Payments --limit 50 --unit usd'],
      [
        'For all, of one model',
        '$0 llm budget create --name Sonnet --model claude-sonnet-5-5 --limit 2000000 --period day'
      ]
    ]
  })

  readonly name = Option.String('--name', { description: NAME })
  readonly limit = Option.String('--limit', { description: LIMIT, required: true })
  readonly unit = Option.String('--unit', 'tokens', {
    description: `<UNIT> ${BUDGET_UNITS.join(' or ')}; tokens by default`
  })
  readonly period = Option.String('--period', 'month', {
    description: `<PERIOD> ${BUDGET_PERIODS.join(', ')}; month by default`
  })
  readonly user = Option.String('--user', { description: '<USER> What this account uses, by its id or name' })
  readonly group = Option.String('--group', {
    description: '<GROUP> What members of this group use, by its id or name'
  })
  readonly token = Option.String('--token', {
    description: '<TOKEN> What is used with this token, by its id, prefix or name'
  })
  readonly model = Option.String('--model', { description: '<MODEL> Only what is used of this model' })

  protected run(): Promise<void> {
    const name = nameValue(this.name)
    const unit = oneOfValue('--unit', this.unit, BUDGET_UNITS)
    const period = oneOfValue('--period', this.period, BUDGET_PERIODS)
    const limit = amountValue('--limit', this.limit, unit)
    const model = this.model === undefined ? null : modelValue('--model', this.model)
    if ([this.user, this.group, this.token].filter((one) => one !== undefined).length > 1)
      throw new UsageError('Give one of --user, --group and --token, or none for all of the hub.')
    return this.withLedger(async (ledger) => {
      const subject = await this.#subject(ledger.readModel)
      const id = randomUUID()
      const budget: Budget = { name, ...subject, model, unit, period, limit }
      await ledger.run({ type: 'CreateLlmBudget', id, budget }, systemOrigin)
      const told = await stateOf(ledger, id)
      const names = await namesOf([told], ledger.readModel)
      this.answer(told, `Made budget "${name}" (${id}).`, ...budgetBlock(told, names))
    })
  }

  async #subject(read: PagedReads): Promise<Pick<Budget, 'subject' | 'subjectId'>> {
    if (this.user !== undefined) return { subject: 'user', subjectId: (await userNamed(read, this.user)).id }
    if (this.group !== undefined) return { subject: 'group', subjectId: (await groupNamed(read, this.group)).id }
    if (this.token === undefined) return { subject: 'hub', subjectId: null }
    const token = await findToken(read, this.token)
    if (!token) throw new CliError(`No token found with id, prefix or name "${this.token}". See: hub user token list`)
    return { subject: 'token', subjectId: token.id }
  }
}

export class LlmBudgetUpdateCommand extends AnsweringCommand {
  static override readonly usage = usage('llm budget update', {
    description: 'Change the name or the limit of a budget; what is used of it stays used',
    examples: [['More of it', '$0 llm budget update Payments --limit 80']]
  })

  readonly named = Option.String({ name: 'budget' })
  readonly name = Option.String('--name', { description: NAME })
  readonly limit = Option.String('--limit', { description: LIMIT })

  protected run(): Promise<void> {
    const { name, limit } = this
    if (name === undefined && limit === undefined)
      throw new UsageError('Nothing to change: give --name, --limit or both. See: hub llm budget update --help')
    return this.withLedger(async (ledger) => {
      const before = await budgetNamed(ledger, this.named)
      const changes = {
        ...(name !== undefined && { name: nameValue(name) }),
        ...(limit !== undefined && { limit: amountValue('--limit', limit, before.unit) })
      }
      await ledger.run({ type: 'UpdateLlmBudget', id: before.id, changes }, systemOrigin)
      const told = await stateOf(ledger, before.id)
      const names = await namesOf([told], ledger.readModel)
      this.answer(told, `Changed budget "${told.name}" (${told.id}).`, ...budgetBlock(told, names))
    })
  }
}

export class LlmBudgetDeleteCommand extends LedgerCommand {
  static override readonly usage = usage('llm budget delete', {
    description: 'Delete a budget of models: it refuses nothing any more',
    examples: [['By its name', '$0 llm budget delete Payments']]
  })

  readonly named = Option.String({ name: 'budget' })
  readonly yes = Option.Boolean('--yes', false, { description: TERMINAL_YES_HELP })

  protected async on(ledger: Ledger): Promise<void> {
    const { id, name } = await budgetNamed(ledger, this.named)
    await this.confirmAtTerminal(`Delete budget "${name}"?`, this.yes)
    await ledger.run({ type: 'DeleteLlmBudget', id }, systemOrigin)
    this.answer({ id, name, deleted: true }, `Deleted budget "${name}" (${id}).`)
  }
}

/** The budget with this id, or else with this name. Throws a `CliError` where there is none. */
async function budgetNamed(ledger: Ledger, text: string): Promise<BudgetState> {
  const [named] = await ledger.readModel.list(llmBudgetsTable, 'byNameKey', [nameKey(text)], { limit: 1 })
  const found = (await ledger.readModel.get(llmBudgetsTable, text)) ?? named
  if (!found) throw new CliError(`No budget found with id or name "${text}". See: hub llm budget list`)
  return stateOf(ledger, found.id)
}

async function stateOf(ledger: Ledger, id: string): Promise<BudgetState> {
  const gone = 'The budget was deleted in the same moment.'
  const row = await existing(ledger.readModel, llmBudgetsTable, id, gone)
  const [told] = await budgetStates([row], ledger.readModel, nowOf(ledger))
  if (!told) throw new CliError(gone)
  return told
}

function nowOf({ now }: Ledger): string {
  return timeText(now())
}

/** The names of the accounts, groups and tokens whose use budgets count, by their ids. */
async function namesOf(budgets: readonly BudgetState[], read: ReadStore): Promise<ReadonlyMap<string, string>> {
  const idsOf = (subject: Budget['subject']) => [
    ...new Set(budgets.flatMap((one) => (one.subject === subject ? (one.subjectId ?? []) : [])))
  ]
  const rows = await Promise.all([
    read.getAll(usersTable, idsOf('user')),
    read.getAll(groupsTable, idsOf('group')),
    read.getAll(tokensTable, idsOf('token'))
  ])
  return new Map(rows.flat().map(({ id, body }) => [id, withName.parse(JSON.parse(body)).name]))
}

function ofWhom({ subject, subjectId }: BudgetState, names: ReadonlyMap<string, string>): string {
  return subjectId === null ? 'all of the hub' : `${subject} ${names.get(subjectId) ?? subjectId}`
}

function cells(one: BudgetState, names: ReadonlyMap<string, string>): Texts {
  const { name, model, period, endsAt } = one
  return [name, ofWhom(one, names), model ?? '*', ...amounts(one), period, endsAt]
}

function amounts({ unit, used, held, limit }: BudgetState): readonly string[] {
  return [used, held, limit].map((amount) => (unit === 'usd' ? `$${amount}` : String(amount)))
}

function budgetBlock(one: BudgetState, names: ReadonlyMap<string, string>): Texts {
  const { id, name, model, period, endsAt } = one
  const [used = '', held = '', limit = ''] = amounts(one)
  const of = ofWhom(one, names)
  return block({ id, name, of, model: model ?? 'all', limit: `${limit} a ${period}`, used, held, ends: endsAt })
}
