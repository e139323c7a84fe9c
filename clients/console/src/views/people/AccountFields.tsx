import { models, useKept } from '../../app/accounts.js'
import { catalog } from '../../app/catalog.js'
import { knownOf } from '../../app/loaded.js'
import { isAdmin, seesRecords } from '../../app/session.js'
import { ACCESS_LISTS, EACH_LIST } from '../../model/access.js'
import type { AccountForm, faultsOf } from '../../model/account.js'
import { Chooser } from '../../ui/Chooser.js'
import { Check, Field, NameField, Radios } from '../../ui/kit.js'

interface FieldsProps {
  readonly form: AccountForm
  readonly change: (by: Partial<AccountForm>) => void
  readonly faults: ReturnType<typeof faultsOf>
  /** Nobody takes the role of an administrator from themselves. */
  readonly isSelf?: boolean
}

const ROLES = [
  ['user', 'User', 'works with what the lists below open'],
  ['admin', 'Administrator', 'manages accounts and the hub, changes no records'],
  ['accountAdmin', 'Administrator of accounts', 'manages accounts of users, and groups, and nothing else'],
  ['auditor', 'Auditor', 'reads the audit, and nothing else']
] as const

/** What stands in place of a list for who sees no records. */
const UNSEEN = 'Your account sees none of them: open all or none here, or ask an administrator to choose.'

/** What an administrator decides about an account, to be filled in. Those of accounts make users alone. */
export function AccountFields({ form, change, faults, isSelf }: FieldsProps) {
  return (
    <>
      <NameField value={form.name} fault={faults.name} change={(name) => change({ name })} />
      {!isSelf && isAdmin.value && (
        <Radios legend="Role" options={ROLES} value={form.exactRole} change={(exactRole) => change({ exactRole })} />
      )}
      {form.exactRole === 'user' && <AccessFields form={form} change={change} faults={faults} />}
    </>
  )
}

/** What an account, or each member of a group, may use, to be filled in. */
export function AccessFields({ form, change, faults }: FieldsProps) {
  return (
    <>
      {EACH_LIST.map((list) => {
        const { kind, plural } = ACCESS_LISTS[list]
        return (
          <Chooser
            key={list}
            title={plural.charAt(0).toUpperCase() + plural.slice(1)}
            choice={form[list]}
            choose={(choice) => change({ [list]: choice })}
            items={knownOf(catalog[kind])}
            remark={seesRecords.value ? `There are no ${plural} yet.` : UNSEEN}
          />
        )
      })}
      <Check
        label="May use models through the hub"
        about="The hub pays, with the keys that it holds."
        isOn={form.llmAccess}
        turn={(isOn) => change(withModels(form, isOn))}
      />
      {form.llmAccess && <ModelFields form={form} change={change} faults={faults} />}
    </>
  )
}

/** Whoever may use models is meant to use some. */
function withModels({ llmModels }: AccountForm, llmAccess: boolean): Partial<AccountForm> {
  const isEmpty = llmAccess && llmModels.is === 'none'
  return { llmAccess, ...(isEmpty && { llmModels: { is: 'all', ids: llmModels.ids } }) }
}

function ModelFields({ form, change, faults }: FieldsProps) {
  const { value: state } = useKept(models).state
  const remark = seesRecords.value ? 'The hub offers no models.' : UNSEEN
  return (
    <>
      <Chooser
        title="Models"
        choice={form.llmModels}
        choose={(llmModels) => change({ llmModels })}
        items={
          state.is === 'ready' ? state.value.map(({ id, label }) => ({ id, name: `${label} (${id})` })) : undefined
        }
        remark={state.is === 'failed' ? state.failure.message : remark}
      />
      <Field
        label="Tokens a month"
        inputMode="numeric"
        value={form.llmMonthlyTokenLimit}
        fault={faults.limit}
        hint="Empty for no limit."
        change={(llmMonthlyTokenLimit) => change({ llmMonthlyTokenLimit })}
      />
    </>
  )
}
