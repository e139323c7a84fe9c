import { useState } from 'preact/hooks'
import { budgets } from '../../app/accounts.js'
import { hub } from '../../app/session.js'
import {
  type Budget,
  type BudgetForm,
  budgetBodyOf,
  budgetFaults,
  budgetFormOf,
  usedInWords
} from '../../model/budgets.js'
import { Ask, Field, NameField, toast } from '../../ui/kit.js'
import { Whose } from './Whose.js'

interface LimitFieldProps {
  readonly form: BudgetForm
  readonly fault: string | undefined
  readonly change: (by: Pick<BudgetForm, 'limit'>) => void
}

/** How much may be used in a period. */
export function LimitField({ form: { unit, limit }, fault, change }: LimitFieldProps) {
  return (
    <Field
      label={unit === 'usd' ? 'Limit in US dollars' : 'Limit in tokens'}
      inputMode={unit === 'usd' ? 'decimal' : 'numeric'}
      value={limit}
      fault={fault}
      autoComplete="off"
      change={(limit) => change({ limit })}
    />
  )
}

interface OfBudget {
  readonly budget: Budget
  readonly close: () => void
}

/** Changes what can be changed of a budget: its name and its limit. */
export function ChangeBudget({ budget, close }: OfBudget) {
  const [start] = useState(budget)
  const [form, setForm] = useState(() => budgetFormOf(budget))
  const [isTried, setTried] = useState(false)
  const faults = isTried ? budgetFaults(form) : {}
  const save = async () => {
    setTried(true)
    const body = budgetBodyOf(form)
    if (!body) return
    const { name, limit } = body
    // What is left as it was may be another by now.
    const changes = { ...(name !== start.name && { name }), ...(limit !== start.limit && { limit }) }
    await hub().request('PUT', '/admin/llm/budgets/{id}', { path: { id: budget.id }, body: changes })
    close()
    toast(`The budget ${name} is changed.`)
    await budgets.reload()
  }
  return (
    <Ask title={`Change ${budget.name}`} verb="Save" act={save} close={close}>
      <NameField value={form.name} fault={faults.name} change={(name) => setForm((form) => ({ ...form, name }))} />
      <LimitField form={form} fault={faults.limit} change={(by) => setForm((form) => ({ ...form, ...by }))} />
      <p class="hint">
        {usedInWords(budget)} are used, and stay used. What it counts cannot be changed: make another budget for that.
      </p>
    </Ask>
  )
}

/** Asks before a budget is deleted: what goes with it, and what stays. */
export function DeleteBudget({ budget, close }: OfBudget) {
  const { id, name } = budget
  const remove = async () => {
    await hub().request('DELETE', '/admin/llm/budgets/{id}', { path: { id } })
    close()
    toast(`The budget ${name} is deleted.`)
    await budgets.reload()
  }
  return (
    <Ask isDanger title={`Delete ${name}?`} verb="Delete the budget" act={remove} close={close}>
      <p>
        From the next call on, what <Whose of={budget} /> may use of {budget.model ?? 'all models'} a {budget.period} is
        not limited by it. Other budgets stay, and limits of accounts.
      </p>
      <p>
        What it has counted goes with it, {usedInWords(budget)}: one that is made anew begins with nothing used. What
        models were used for and what that cost stays on this page.
      </p>
    </Ask>
  )
}
