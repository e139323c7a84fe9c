import type { Schemas } from '@collections-hub/client'
import { LASTS, scopesFor, type TokenForm, tokenFormFault } from '../../model/tokenForm.js'
import { Field, Select, Tick } from '../../ui/kit.js'

interface TokenFieldsProps {
  readonly form: TokenForm
  readonly change: (by: Partial<TokenForm>) => void
  /** Whether faults are shown: once somebody has tried to go on. */
  readonly isTried: boolean
  /** That of the account that the token is of. */
  readonly role: Schemas['User']['role']
  /** Whether agents may be let write with it. */
  readonly mayLetAgentsWrite: boolean
}

/** What is to be chosen of a new token: its name, how long it lasts, and what it may do. */
export function TokenFields({ form, change, isTried, role, mayLetAgentsWrite }: TokenFieldsProps) {
  const { name, lasts, scopes, agentWrites } = form
  const fault = isTried ? tokenFormFault(form) : undefined
  const turn = (scope: string, isOn: boolean) => {
    const others = (scopes ?? []).filter((one) => one !== scope)
    change({ scopes: isOn ? [...others, scope] : others })
  }
  return (
    <>
      <Field
        label="What to call it"
        hint="Such as the device or the program that gets it, so that it is known again later."
        value={name}
        maxLength={500}
        fault={fault?.name}
        onInput={({ currentTarget }) => change({ name: currentTarget.value })}
      />
      <Select label="How long it is good" value={lasts} options={LASTS} change={(lasts) => change({ lasts })} />
      <fieldset class="stack gap-2">
        <legend>What it may do</legend>
        <Tick
          type="radio"
          name="limit"
          label="All that the account may"
          checked={scopes === null}
          onChange={() => change({ scopes: null })}
        />
        <Tick
          type="radio"
          name="limit"
          label="Only some of it"
          checked={scopes !== null}
          onChange={() => change({ scopes: [] })}
        />
        {scopes !== null &&
          scopesFor(role).map(([scope, label, about]) => (
            <Tick
              key={scope}
              type="checkbox"
              label={label}
              about={about}
              checked={scopes.includes(scope)}
              onChange={({ currentTarget }) => turn(scope, currentTarget.checked)}
            />
          ))}
        {fault?.scopes && <p role="alert">{fault.scopes}</p>}
      </fieldset>
      {mayLetAgentsWrite && (role === 'user' || role === 'admin') && (
        <AgentWrites isOn={agentWrites} turn={(agentWrites) => change({ agentWrites })} />
      )}
    </>
  )
}

/** Whether agents may write with a token. */
export function AgentWrites({ isOn, turn }: { readonly isOn: boolean; readonly turn: (isOn: boolean) => void }) {
  return (
    <Tick
      type="checkbox"
      label="Agents may write with it"
      about="Otherwise they only read."
      checked={isOn}
      onChange={({ currentTarget }) => turn(currentTarget.checked)}
    />
  )
}
