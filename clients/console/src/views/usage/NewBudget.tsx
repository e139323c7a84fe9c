import { useState } from 'preact/hooks'
import { budgets, groups, tokens, useKept, users } from '../../app/accounts.js'
import { offeredModels } from '../../app/budgets.js'
import { knownOf, useLoadable } from '../../app/loaded.js'
import { hub } from '../../app/session.js'
import {
  type BudgetForm,
  budgetBodyOf,
  budgetFaults,
  EMPTY_BUDGET,
  PERIODS,
  SUBJECTS,
  tokenChoices,
  UNITS
} from '../../model/budgets.js'
import { Ask, NameField, Select, toast } from '../../ui/kit.js'
import { LimitField } from './ChangeBudget.js'

/** Makes a budget. What the hub says against it stands below what is filled in. */
export function NewBudget({ close }: { readonly close: () => void }) {
  const [form, setForm] = useState(EMPTY_BUDGET)
  const [isTried, setTried] = useState(false)
  const change = (by: Partial<BudgetForm>) => setForm((form) => ({ ...form, ...by }))
  const faults = isTried ? budgetFaults(form) : {}
  const make = async () => {
    setTried(true)
    const body = budgetBodyOf(form)
    if (!body) return
    await hub().request('POST', '/admin/llm/budgets', { body })
    close()
    toast(`The budget ${body.name} counts from now on.`)
    await budgets.reload()
  }
  return (
    <Ask title="New budget" verb="Make it" act={make} close={close}>
      <NameField value={form.name} fault={faults.name} change={(name) => change({ name })} />
      <Select
        label="Whose use it counts"
        value={form.subject}
        options={SUBJECTS}
        change={(subject) => change({ subject, subjectId: '' })}
      />
      <WhoseField form={form} change={change} fault={faults.subjectId} />
      <ModelField form={form} change={change} />
      <Select
        label="Counted in"
        value={form.unit}
        options={UNITS}
        hint={form.unit === 'usd' ? 'Models that have no price are refused while it counts them.' : undefined}
        change={(unit) => change({ unit })}
      />
      <LimitField form={form} fault={faults.limit} change={change} />
      <Select
        label="Period"
        value={form.period}
        options={PERIODS}
        hint="It begins anew at midnight, UTC; weeks on Monday."
        change={(period) => change({ period })}
      />
    </Ask>
  )
}

interface PartProps {
  readonly form: BudgetForm
  readonly change: (by: Partial<BudgetForm>) => void
}
type WhoseProps = PartProps & { readonly fault: string | undefined }

/** Which account, group or token it is. Only the list that is chosen from is asked for. */
function WhoseField(props: WhoseProps) {
  if (props.form.subject === 'user') return <AccountField {...props} />
  if (props.form.subject === 'group') return <GroupField {...props} />
  return props.form.subject === 'token' ? <TokenField {...props} /> : null
}

function AccountField(props: WhoseProps) {
  const accounts = (knownOf(useKept(users)) ?? []).filter(({ exactRole }) => exactRole === 'user')
  return <Which label="Account" choices={accounts} {...props} />
}

function GroupField(props: WhoseProps) {
  return <Which label="Group" choices={knownOf(useKept(groups)) ?? []} {...props} />
}

function TokenField(props: WhoseProps) {
  const [all, owners] = [useKept(tokens), useKept(users)]
  return <Which label="Token" choices={tokenChoices(knownOf(all) ?? [], knownOf(owners) ?? [])} {...props} />
}

interface WhichProps extends WhoseProps {
  readonly label: string
  readonly choices: readonly { readonly id: string; readonly name: string }[]
}

function Which({ label, choices, form, change, fault }: WhichProps) {
  return (
    <Select
      label={label}
      value={form.subjectId}
      fault={fault}
      options={[{ value: '', label: 'Choose…' }, ...choices.map(({ id, name }) => ({ value: id, label: name }))]}
      change={(subjectId) => change({ subjectId })}
    />
  )
}

function ModelField({ form, change }: PartProps) {
  const offered = knownOf(useLoadable(offeredModels, [])) ?? []
  return (
    <Select
      label="Models"
      value={form.model}
      options={[
        { value: '', label: 'All models' },
        ...offered.map(({ id, label }) => ({ value: id, label: `${label} (${id})` }))
      ]}
      change={(model) => change({ model })}
    />
  )
}
