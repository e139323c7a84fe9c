import type { Schemas } from '@collections-hub/client'
import { count } from './numbers.js'
import { money, type Nearness, nearnessOf } from './usage.js'

export type Budget = Schemas['LlmBudget']

/** Whose use a budget counts, as a choice. */
export const SUBJECTS: readonly { readonly value: Budget['subject']; readonly label: string }[] = [
  { value: 'hub', label: 'All of the hub' },
  { value: 'user', label: 'An account' },
  { value: 'group', label: 'The members of a group together' },
  { value: 'token', label: 'A token' }
]
export const UNITS: readonly { readonly value: Budget['unit']; readonly label: string }[] = [
  { value: 'tokens', label: 'Tokens' },
  { value: 'usd', label: 'US dollars' }
]
export const PERIODS: readonly { readonly value: Budget['period']; readonly label: string }[] = [
  { value: 'day', label: 'A day' },
  { value: 'week', label: 'A week' },
  { value: 'month', label: 'A month' }
]

/** Whose use a budget counts, to somebody whose use it counts. */
export const OWN_SUBJECTS: Readonly<Record<Budget['subject'], string>> = {
  hub: 'all of the hub',
  user: 'your account',
  group: 'all members of a group that you are in',
  token: 'the token that you are signed in with'
}

/** How near a budget is to its end. What calls on their way hold is not used yet. */
export const nearnessOfBudget = ({ used, limit }: Pick<Budget, 'used' | 'limit'>): Nearness => nearnessOf(used / limit)

const amount = (unit: Budget['unit'], value: number): string => (unit === 'usd' ? money(value) : count(value))

type Amounts = Pick<Budget, 'unit' | 'used' | 'held' | 'limit'>

/** `$12.50 of $50.00`, or `1,200 of 5,000 tokens`. */
export function usedInWords({ unit, used, limit }: Omit<Amounts, 'held'>): string {
  return `${amount(unit, used)} of ${amount(unit, limit)}${unit === 'tokens' ? ' tokens' : ''}`
}

/** What calls on their way hold; nothing where there are none. */
export function heldInWords({ unit, held }: Pick<Amounts, 'unit' | 'held'>): string | null {
  return held === 0 ? null : `${amount(unit, held)} held by calls on their way`
}

/** A budget as it is filled in: of one that is there the name and the limit alone. */
export interface BudgetForm extends Pick<Budget, 'name' | 'subject' | 'unit' | 'period'> {
  /** Of the account, the group or the token; empty where none is chosen. */
  readonly subjectId: string
  /** Empty for all. */
  readonly model: string
  /** As it was typed. */
  readonly limit: string
}

export const EMPTY_BUDGET: BudgetForm = {
  ...{ name: '', subject: 'hub', subjectId: '', model: '', unit: 'tokens', period: 'month', limit: '' }
}

const GROUPED = /^\d{1,3}([,\s'’_]\d{3})+(?=\.|$)/

/** The amount that was typed, with separators between thousands or without; undefined where it is none. */
export function limitIn(typed: string, unit: Budget['unit']): number | undefined {
  const text = typed.trim().replace(unit === 'usd' ? /^\$\s*/ : '', '')
  const plain = GROUPED.test(text) ? text.replace(/[,\s'’_]/g, '') : text
  const isAmount = unit === 'usd' ? /^\d{1,12}(\.\d{1,6})?$/ : /^\d{1,15}$/
  return isAmount.test(plain) && Number(plain) > 0 ? Number(plain) : undefined
}

/** What keeps a budget from being sent, by field. The hub decides about the rest. */
export function budgetFaults({ name, subject, subjectId, unit, limit }: BudgetForm) {
  const amounts =
    unit === 'usd' ? 'A limit is an amount of US dollars, such as 12.50.' : 'A limit is a whole number of tokens.'
  return {
    ...(name.trim() === '' && { name: 'Give the budget a name first.' }),
    ...(subject !== 'hub' && subjectId === '' && { subjectId: 'Choose whose it is.' }),
    ...(limitIn(limit, unit) === undefined && { limit: amounts })
  }
}

/** What the hub is sent of a form; undefined where something is wrong with it. */
export function budgetBodyOf(form: BudgetForm): Schemas['CreateLlmBudgetBody'] | undefined {
  const { name, subject, subjectId, model, unit, period } = form
  const limit = limitIn(form.limit, unit)
  if (limit === undefined || Object.keys(budgetFaults(form)).length > 0) return undefined
  const whose = { subject, subjectId: subject === 'hub' ? null : subjectId }
  return { name: name.trim(), ...whose, model: model === '' ? null : model, unit, period, limit }
}

/** A budget that is there, to be filled in. */
export function budgetFormOf({ name, subject, subjectId, model, unit, period, limit }: Budget): BudgetForm {
  return { name, subject, subjectId: subjectId ?? '', model: model ?? '', unit, period, limit: String(limit) }
}

/** The tokens that models can be used with, each as a choice with the name of its owner. */
export function tokenChoices(
  tokens: readonly Pick<Schemas['Token'], 'id' | 'name' | 'userId' | 'revokedAt'>[],
  owners: readonly Pick<Schemas['ListedUser'], 'id' | 'name' | 'exactRole'>[]
): readonly { readonly id: string; readonly name: string }[] {
  const names = new Map(owners.filter(({ exactRole }) => exactRole === 'user').map(({ id, name }) => [id, name]))
  return tokens.flatMap(({ id, name, userId, revokedAt }) => {
    const owner = names.get(userId)
    return owner === undefined || revokedAt !== null ? [] : [{ id, name: `${name} (${owner})` }]
  })
}
